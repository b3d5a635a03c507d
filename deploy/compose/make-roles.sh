#!/bin/sh
# Gives each service a login of its own, which may make its schema and see no other's. Runs once, for an empty database.
set -eu
for service in content identity activity billing; do
  name=$(echo "$service" | tr '[:lower:]' '[:upper:]')_DATABASE_PASSWORD
  password=$(printenv "$name")
  psql --set=ON_ERROR_STOP=1 --set=role="snipkeep_$service" --set=password="$password" \
    --username=postgres --dbname=snipkeep <<'END'
CREATE ROLE :"role" LOGIN PASSWORD :'password';
GRANT CONNECT, CREATE ON DATABASE snipkeep TO :"role";
END
done
psql --set=ON_ERROR_STOP=1 --username=postgres --dbname=snipkeep \
  --command='REVOKE ALL ON DATABASE snipkeep FROM PUBLIC' --command='REVOKE CREATE ON SCHEMA public FROM PUBLIC'
