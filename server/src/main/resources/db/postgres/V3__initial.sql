-- Rows are kept as they were written; the version goes up with each write. A row that stands once at most in an order has its place there
-- in a column; where it may stand more than once, a table holds one row for each entry. Texts are compared by their bytes. Rows that change
-- often leave room on their page. Small shares of dead rows are cleaned at once: what expires and what moves must not leave tables that
-- only grow. Rows of a few kilobytes that are written all the time stay as they are in their page: packing them would cost more.
--
-- Rule for every file after this one: servers of the version before go on working while it is applied and after. So it adds tables, columns
-- with defaults and indexes, and takes nothing away; what is not needed any more is taken away one version later, by a file that raises
-- works_from.

CREATE TABLE nonbis_schema (one boolean PRIMARY KEY DEFAULT true CHECK (one), works_from integer NOT NULL);
INSERT INTO nonbis_schema (works_from) VALUES (3);

CREATE TABLE keys (id text COLLATE "C" PRIMARY KEY, version bigint NOT NULL, by_expiry text COLLATE "C", body bytea NOT NULL)
  WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
CREATE INDEX keys_by_expiry ON keys (by_expiry, id) WHERE by_expiry IS NOT NULL;

CREATE TABLE tenants (id text COLLATE "C" PRIMARY KEY, version bigint NOT NULL,
  by_checkpoint text COLLATE "C", by_change text COLLATE "C", by_news text COLLATE "C",
  body bytea NOT NULL)
  WITH (fillfactor = 50, toast_tuple_target = 8160, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
ALTER TABLE tenants ALTER COLUMN body SET STORAGE EXTERNAL;
CREATE INDEX tenants_by_checkpoint ON tenants (by_checkpoint, id) WHERE by_checkpoint IS NOT NULL;
CREATE INDEX tenants_by_change ON tenants (by_change, id) WHERE by_change IS NOT NULL;
CREATE INDEX tenants_by_news ON tenants (by_news, id) WHERE by_news IS NOT NULL;
CREATE TABLE admissions (id text COLLATE "C" PRIMARY KEY, version bigint NOT NULL, body bytea NOT NULL)
  WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);

CREATE TABLE jobs (id text COLLATE "C" PRIMARY KEY, version bigint NOT NULL,
  by_due text COLLATE "C", by_watch text COLLATE "C", by_state text COLLATE "C", by_topic text COLLATE "C",
  body bytea NOT NULL)
  WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
CREATE INDEX jobs_by_due ON jobs (by_due, id) WHERE by_due IS NOT NULL;
CREATE INDEX jobs_by_watch ON jobs (by_watch, id) WHERE by_watch IS NOT NULL;
CREATE INDEX jobs_by_state ON jobs (by_state, id) WHERE by_state IS NOT NULL;
CREATE INDEX jobs_by_topic ON jobs (by_topic, id) WHERE by_topic IS NOT NULL;
CREATE TABLE jobs_by_label (entry text COLLATE "C" NOT NULL, id text COLLATE "C" NOT NULL, PRIMARY KEY (entry, id))
  WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);

CREATE TABLE runs (id text COLLATE "C" PRIMARY KEY, version bigint NOT NULL,
  by_state text COLLATE "C", by_workflow text COLLATE "C",
  body bytea NOT NULL)
  WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
CREATE INDEX runs_by_state ON runs (by_state, id) WHERE by_state IS NOT NULL;
CREATE INDEX runs_by_workflow ON runs (by_workflow, id) WHERE by_workflow IS NOT NULL;

CREATE TABLE workflows (id text COLLATE "C" PRIMARY KEY, version bigint NOT NULL, body bytea NOT NULL)
  WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
CREATE TABLE workflow_versions (id text COLLATE "C" PRIMARY KEY, version bigint NOT NULL, body bytea NOT NULL)
  WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
CREATE TABLE audit (id text COLLATE "C" PRIMARY KEY, version bigint NOT NULL, body bytea NOT NULL)
  WITH (toast_tuple_target = 8160, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
ALTER TABLE audit ALTER COLUMN body SET STORAGE EXTERNAL;

CREATE TABLE approvals (id text COLLATE "C" PRIMARY KEY, version bigint NOT NULL,
  by_status text COLLATE "C", by_expiry text COLLATE "C",
  body bytea NOT NULL)
  WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
CREATE INDEX approvals_by_status ON approvals (by_status, id) WHERE by_status IS NOT NULL;
CREATE INDEX approvals_by_expiry ON approvals (by_expiry, id) WHERE by_expiry IS NOT NULL;

CREATE TABLE nonces (id text COLLATE "C" PRIMARY KEY, version bigint NOT NULL, by_expiry text COLLATE "C", body bytea NOT NULL)
  WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
CREATE INDEX nonces_by_expiry ON nonces (by_expiry, id) WHERE by_expiry IS NOT NULL;
CREATE TABLE budgets (id text COLLATE "C" PRIMARY KEY, version bigint NOT NULL, body bytea NOT NULL)
  WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
CREATE TABLE payments (id text COLLATE "C" PRIMARY KEY, version bigint NOT NULL,
  by_status text COLLATE "C", by_agent text COLLATE "C",
  body bytea NOT NULL)
  WITH (fillfactor = 90, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
CREATE INDEX payments_by_status ON payments (by_status, id) WHERE by_status IS NOT NULL;
CREATE INDEX payments_by_agent ON payments (by_agent, id) WHERE by_agent IS NOT NULL;

CREATE TABLE audit_trees (id text COLLATE "C" PRIMARY KEY, version bigint NOT NULL,
  by_removal text COLLATE "C",
  body bytea NOT NULL)
  WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
CREATE INDEX audit_trees_by_removal ON audit_trees (by_removal, id) WHERE by_removal IS NOT NULL;
CREATE TABLE audit_tiles (id text COLLATE "C" PRIMARY KEY, version bigint NOT NULL, body bytea NOT NULL)
  WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
CREATE TABLE audit_checkpoints (id text COLLATE "C" PRIMARY KEY, version bigint NOT NULL, body bytea NOT NULL)
  WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);

CREATE TABLE messages (id text COLLATE "C" PRIMARY KEY, version bigint NOT NULL,
  by_visible text COLLATE "C", by_window text COLLATE "C",
  body bytea NOT NULL)
  WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
CREATE INDEX messages_by_visible ON messages (by_visible, id) WHERE by_visible IS NOT NULL;
CREATE INDEX messages_by_window ON messages (by_window, id) WHERE by_window IS NOT NULL;
CREATE TABLE queues (id text COLLATE "C" PRIMARY KEY, version bigint NOT NULL,
  by_waiting text COLLATE "C",
  body bytea NOT NULL)
  WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
CREATE INDEX queues_by_waiting ON queues (by_waiting, id) WHERE by_waiting IS NOT NULL;
CREATE TABLE results (id text COLLATE "C" PRIMARY KEY, version bigint NOT NULL, body bytea NOT NULL)
  WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
CREATE TABLE dead_letters (id text COLLATE "C" PRIMARY KEY, version bigint NOT NULL, body bytea NOT NULL)
  WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
CREATE TABLE announcements (id text COLLATE "C" PRIMARY KEY, version bigint NOT NULL, body bytea NOT NULL)
  WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);

CREATE TABLE leases (id text COLLATE "C" PRIMARY KEY, version bigint NOT NULL, body bytea NOT NULL)
  WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);

CREATE TABLE webhooks (id text COLLATE "C" PRIMARY KEY, version bigint NOT NULL,
  by_due text COLLATE "C",
  body bytea NOT NULL)
  WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
CREATE INDEX webhooks_by_due ON webhooks (by_due, id) WHERE by_due IS NOT NULL;
CREATE TABLE webhook_deliveries (id text COLLATE "C" PRIMARY KEY, version bigint NOT NULL, body bytea NOT NULL)
  WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
