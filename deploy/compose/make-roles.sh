#!/bin/sh
# Creates two logins for each service: one that owns its schema, for migrations, and one for serving, which reads and
# writes rows but cannot alter the schema. Neither sees another schema. Runs once, for an empty database. Run by hand, it
# adds missing logins, and sets all passwords to those in .env.
set -eu
sql() {
  psql --set=ON_ERROR_STOP=1 --username=postgres --dbname=snipkeep --quiet "$@"
}
# login ROLE VARIABLE: psql reads the password from the environment, so that it never appears in a process list.
login() {
  known=$(sql --tuples-only --no-align --command="SELECT 1 FROM pg_roles WHERE rolname = '$1'")
  [ "$known" = 1 ] || sql --command="CREATE ROLE $1 LOGIN"
  sql <<END
\\getenv password $2
ALTER ROLE $1 LOGIN PASSWORD :'password';
GRANT CONNECT ON DATABASE snipkeep TO $1;
END
}
sql --command='REVOKE ALL ON DATABASE snipkeep FROM PUBLIC' --command='REVOKE CREATE ON SCHEMA public FROM PUBLIC'
for service in content identity activity billing; do
  name=$(echo "$service" | tr '[:lower:]' '[:upper:]')
  owner=snipkeep_$service
  login "$owner" "${name}_DATABASE_PASSWORD"
  sql --command='SET client_min_messages = warning' \
    --command="CREATE SCHEMA IF NOT EXISTS $service AUTHORIZATION $owner" \
    --command="REVOKE CREATE ON DATABASE snipkeep FROM $owner"
  # An older .env has no passwords for serving logins.
  [ -z "$(printenv "${name}_SERVING_PASSWORD")" ] || login "${owner}_serving" "${name}_SERVING_PASSWORD"
done
