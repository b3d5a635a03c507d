#!/bin/sh
# Creates .certificates/: this installation's own authority, and a certificate for each process, for mutual TLS between
# them. Run it again at any time: it replaces only certificates that expire within 60 days. Running processes load new
# files within a second.
set -eu
cd "$(dirname "$0")/../.."
umask 077
if ! command -v openssl >/dev/null 2>&1; then
  echo 'openssl is missing, and it makes the certificates of the processes. Install it, for instance by "apt install openssl", and run this again.' >&2
  exit 1
fi

processes='gateway web content identity activity billing tools'
folder=.certificates
authority=$folder/authority
# Other users of this machine cannot enter this folder, which protects the keys. The files in it are readable by everyone,
# because containers run as other users; each sees only the folder of its process.
mkdir -p "$authority"
chmod 0700 "$folder" "$authority"
work=$(mktemp -d "$folder/new.XXXXXX")
trap 'rm -rf "$work"' EXIT

# lasts CERTIFICATE DAYS: whether it exists, and is valid for longer than that.
lasts() { [ -s "$1" ] && openssl x509 -in "$1" -noout -checkend $(($2 * 86400)) >/dev/null 2>&1; }

# belong CERTIFICATE KEY: whether the key belongs to the certificate.
belong() {
  [ -s "$1" ] && [ -s "$2" ] &&
    [ "$(openssl x509 -in "$1" -noout -pubkey 2>/dev/null)" = "$(openssl pkey -in "$2" -pubout 2>/dev/null)" ]
}

new_key() { openssl ecparam -name prime256v1 -genkey -noout -out "$1"; }

cat > "$work/openssl.cnf" <<CNF
[req]
distinguished_name = subject
[subject]
[authority]
basicConstraints = critical, CA:TRUE, pathlen:0
keyUsage = critical, keyCertSign, cRLSign
subjectKeyIdentifier = hash
CNF

make_authority() {
  new_key "$work/ca.key"
  openssl req -x509 -new -sha256 -key "$work/ca.key" -days 3650 -set_serial "0x$(openssl rand -hex 16)" \
    -subj "/CN=Snipkeep $(openssl rand -hex 4)" -config "$work/openssl.cnf" -extensions authority -out "$work/ca.crt"
  # The previous one stays trusted until it expires, so that processes with certificates of either accept each other.
  if [ -s "$authority/ca.crt" ]; then mv -f "$authority/ca.crt" "$authority/former.crt"; fi
  mv -f "$work/ca.key" "$authority/ca.key"
  mv -f "$work/ca.crt" "$authority/ca.crt"
}

# issue PROCESS: creates a key, and a certificate that names the process.
issue() {
  cat > "$work/extensions" <<CNF
basicConstraints = critical, CA:FALSE
keyUsage = critical, digitalSignature
extendedKeyUsage = serverAuth, clientAuth
subjectAltName = URI:spiffe://snipkeep/$1
CNF
  new_key "$work/tls.key"
  openssl req -new -key "$work/tls.key" -subj "/CN=$1" -config "$work/openssl.cnf" -out "$work/request"
  openssl x509 -req -sha256 -in "$work/request" -CA "$authority/ca.crt" -CAkey "$authority/ca.key" \
    -set_serial "0x$(openssl rand -hex 16)" -days 365 -extfile "$work/extensions" -out "$work/tls.crt" 2>/dev/null
  chmod 0644 "$work/tls.key" "$work/tls.crt"
  mv -f "$work/tls.key" "$folder/$1/tls.key"
  mv -f "$work/tls.crt" "$folder/$1/tls.crt"
}

# is_good PROCESS: whether the existing files can be kept.
is_good() {
  lasts "$folder/$1/tls.crt" 60 && belong "$folder/$1/tls.crt" "$folder/$1/tls.key" &&
    openssl verify -CAfile "$authority/ca.crt" "$folder/$1/tls.crt" >/dev/null 2>&1
}

# An authority outlives every certificate that it signs.
if ! lasts "$authority/ca.crt" 400 || ! belong "$authority/ca.crt" "$authority/ca.key"; then make_authority; fi

cp "$authority/ca.crt" "$work/trusted.crt"
if lasts "$authority/former.crt" 0; then cat "$authority/former.crt" >> "$work/trusted.crt"; fi
chmod 0644 "$work/trusted.crt"
replaced=
for process in $processes; do
  mkdir -p "$folder/$process"
  chmod 0755 "$folder/$process"
  if cmp -s "$work/trusted.crt" "$folder/$process/ca.crt"; then continue; fi
  if [ -e "$folder/$process/ca.crt" ]; then replaced=yes; fi
  cp -p "$work/trusted.crt" "$work/ca.crt"
  mv -f "$work/ca.crt" "$folder/$process/ca.crt"
done
# Every process must trust the new authority before any process uses a certificate of it.
if [ -n "$replaced" ]; then sleep 3; fi

made=
for process in $processes; do
  if is_good "$process"; then continue; fi
  issue "$process"
  made="$made $process"
done
if [ -n "$made" ]; then
  echo "Made certificates in $folder for:$made."
else
  echo "The certificates in $folder are good for 60 days and more."
fi
