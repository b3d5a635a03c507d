#!/bin/sh
# Creates what docker compose needs: .env with random secrets, and .certificates/ through make-certificates.sh. Run it
# again after an upgrade and at least every ten months: it keeps .env, and replaces certificates that expire soon.
set -eu
cd "$(dirname "$0")/../.."
umask 077
sh deploy/compose/make-certificates.sh
# Containers run as other users and must be able to read these, whatever the umask of the clone.
find deploy/compose deploy/observability \( ! -perm -0444 -o -type d ! -perm -0555 \) -exec chmod a+rX {} +
if [ -e .env ]; then
  echo '.env is there already and stays as it is. To have new secrets delete it, but not while there is data: they belong together.'
  exit 0
fi
random() { head -c 32 /dev/urandom | base64 | tr -d '+/=\n' | cut -c1-40; }
cat > .env.new <<DOTENV
# For docker compose, written by deploy/compose/make-env.sh. Keep it secret, and back it up with the database: without
# API_KEY_PEPPER, no API key works any more.
PORT=8080
PUBLIC_BASE_URL=http://localhost:8080
# Behind a TLS proxy on this machine: tells callers apart by X-Forwarded-For, and lets no one bypass the proxy.
# BIND=127.0.0.1
# TRUSTED_PROXIES=172.30.80.1,172.30.80.250
# A second installation on this machine needs its own addresses and port: SUBNET_PREFIX=172.30.81 and PORT.
# SUBNET_PREFIX=172.30.80
# For the profile observability: lets Prometheus reach the metrics of the processes.
# METRICS_HOST=0.0.0.0
# Images from a registry instead of locally built ones.
# REGISTRY=registry.example/snipkeep
# VERSION=0.1.0
# PULL_POLICY=missing

# For a trial: anyone can sign in as anyone, and payments move no money. For real use, delete these six lines and set
# OIDC_ISSUERS=https://issuer.example=audience, PUBLIC_BASE_URL, and COMPOSE_PROFILES=payments, PAYMENT_PROVIDER=stripe with
# STRIPE_*. To give everyone Pro without payments: PAYMENT_PROVIDER=none, and no profile payments.
COMPOSE_PROFILES=trial,payments
NODE_ENV=development
OIDC_ISSUERS=http://issuer.localhost:8081=snipkeep
PAYMENT_PROVIDER=sandbox
SANDBOX_SECRET_KEY=sk_test_$(random)
SANDBOX_WEBHOOK_SECRET=whsec_$(random)

POSTGRES_PASSWORD=$(random)
CONTENT_DATABASE_PASSWORD=$(random)
IDENTITY_DATABASE_PASSWORD=$(random)
ACTIVITY_DATABASE_PASSWORD=$(random)
BILLING_DATABASE_PASSWORD=$(random)
# Migrations log in as the owners of the schemas, with the passwords above; services log in with these, and own nothing.
CONTENT_SERVING_PASSWORD=$(random)
IDENTITY_SERVING_PASSWORD=$(random)
ACTIVITY_SERVING_PASSWORD=$(random)
BILLING_SERVING_PASSWORD=$(random)
SERVING_SUFFIX=_serving
REDIS_PASSWORD=$(random)
API_KEY_PEPPER=$(random)
REPORT_DIGEST_KEY=$(random)
GRAFANA_PASSWORD=$(random)
# The issuer of the profile accounts (docs/sign-in.md); the first is the password of admin@localhost.
ACCOUNTS_ADMIN_PASSWORD=$(random)
ACCOUNTS_KEY=snipkeep/$(head -c 32 /dev/urandom | base64 | tr -d '\n')
ACCOUNTS_RAFT_SECRET=$(random)
ACCOUNTS_API_SECRET=$(random)
DOTENV
mv .env.new .env
echo 'Wrote .env; next: docker compose up --build --wait'
