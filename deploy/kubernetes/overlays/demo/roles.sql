-- The same roles as components/cloudnative-pg creates: for each schema an owner that no one logs in as, and a role that
-- serves and owns nothing; for each service a login that is a member of its serving role; and a login for migrations.
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
