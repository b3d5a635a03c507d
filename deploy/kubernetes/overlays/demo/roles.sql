-- What components/cloudnative-pg makes of a real database: owners of schemas that nobody logs in as, a login for each
-- service that may become its own, and one for the migrations.
CREATE ROLE snipkeep_content NOLOGIN;
CREATE ROLE snipkeep_identity NOLOGIN;
CREATE ROLE snipkeep_activity NOLOGIN;
CREATE ROLE snipkeep_migrate LOGIN PASSWORD 'throw-away';
CREATE ROLE content LOGIN NOINHERIT PASSWORD 'throw-away' IN ROLE snipkeep_content;
CREATE ROLE identity LOGIN NOINHERIT PASSWORD 'throw-away' IN ROLE snipkeep_identity;
CREATE ROLE activity LOGIN NOINHERIT PASSWORD 'throw-away' IN ROLE snipkeep_activity;
GRANT snipkeep_content, snipkeep_identity, snipkeep_activity TO snipkeep_migrate;
ALTER DATABASE snipkeep OWNER TO snipkeep_migrate;
