-- What components/cloudnative-pg makes of a real database: owners of schemas that no one logs in as, a role for each that
-- serves and owns nothing, a login for each service that is a member of that one, and a login for the migrations.
CREATE ROLE snipkeep_content NOLOGIN;
CREATE ROLE snipkeep_identity NOLOGIN;
CREATE ROLE snipkeep_activity NOLOGIN;
CREATE ROLE snipkeep_content_serving NOLOGIN;
CREATE ROLE snipkeep_identity_serving NOLOGIN;
CREATE ROLE snipkeep_activity_serving NOLOGIN;
CREATE ROLE snipkeep_migrate LOGIN PASSWORD 'throw-away';
CREATE ROLE content LOGIN NOINHERIT PASSWORD 'throw-away' IN ROLE snipkeep_content_serving;
CREATE ROLE identity LOGIN NOINHERIT PASSWORD 'throw-away' IN ROLE snipkeep_identity_serving;
CREATE ROLE activity LOGIN NOINHERIT PASSWORD 'throw-away' IN ROLE snipkeep_activity_serving;
GRANT snipkeep_content, snipkeep_identity, snipkeep_activity TO snipkeep_migrate;
ALTER DATABASE snipkeep OWNER TO snipkeep_migrate;
