-- Rows are kept as they were written; the version goes up with each write. Index tables hold one row for each entry. Texts are compared
-- by their bytes. Rows that change often leave room on their page, so that a change touches no index. Small shares of dead rows are
-- cleaned at once: what expires and what moves must not leave tables that only grow.
--
-- Rule for every file after this one: servers of the version before go on working while it is applied and after. So it adds tables, columns
-- with defaults and indexes, and takes nothing away; what is not needed any more is taken away one version later, by a file that raises
-- works_from.

CREATE TABLE nonbis_schema (one boolean PRIMARY KEY DEFAULT true CHECK (one), works_from integer NOT NULL);
INSERT INTO nonbis_schema (works_from) VALUES (1);

CREATE TABLE keys (id text COLLATE "C" PRIMARY KEY, version bigint NOT NULL, body bytea NOT NULL)
  WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
CREATE TABLE keys_by_expiry (entry text COLLATE "C" NOT NULL, id text COLLATE "C" NOT NULL, PRIMARY KEY (entry, id))
  WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);

CREATE TABLE tenants (id text COLLATE "C" PRIMARY KEY, version bigint NOT NULL, body bytea NOT NULL)
  WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
CREATE TABLE admissions (id text COLLATE "C" PRIMARY KEY, version bigint NOT NULL, body bytea NOT NULL)
  WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);

CREATE TABLE jobs (id text COLLATE "C" PRIMARY KEY, version bigint NOT NULL, body bytea NOT NULL)
  WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
CREATE TABLE jobs_by_due (entry text COLLATE "C" NOT NULL, id text COLLATE "C" NOT NULL, PRIMARY KEY (entry, id))
  WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
CREATE TABLE jobs_by_state (entry text COLLATE "C" NOT NULL, id text COLLATE "C" NOT NULL, PRIMARY KEY (entry, id))
  WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
CREATE TABLE jobs_by_topic (entry text COLLATE "C" NOT NULL, id text COLLATE "C" NOT NULL, PRIMARY KEY (entry, id))
  WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
CREATE TABLE jobs_by_label (entry text COLLATE "C" NOT NULL, id text COLLATE "C" NOT NULL, PRIMARY KEY (entry, id))
  WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);

CREATE TABLE runs (id text COLLATE "C" PRIMARY KEY, version bigint NOT NULL, body bytea NOT NULL)
  WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
CREATE TABLE runs_by_state (entry text COLLATE "C" NOT NULL, id text COLLATE "C" NOT NULL, PRIMARY KEY (entry, id))
  WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
CREATE TABLE runs_by_workflow (entry text COLLATE "C" NOT NULL, id text COLLATE "C" NOT NULL, PRIMARY KEY (entry, id))
  WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);

CREATE TABLE workflows (id text COLLATE "C" PRIMARY KEY, version bigint NOT NULL, body bytea NOT NULL)
  WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
CREATE TABLE workflow_versions (id text COLLATE "C" PRIMARY KEY, version bigint NOT NULL, body bytea NOT NULL)
  WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
CREATE TABLE audit (id text COLLATE "C" PRIMARY KEY, version bigint NOT NULL, body bytea NOT NULL)
  WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);

CREATE TABLE approvals (id text COLLATE "C" PRIMARY KEY, version bigint NOT NULL, body bytea NOT NULL)
  WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
CREATE TABLE approvals_by_status (entry text COLLATE "C" NOT NULL, id text COLLATE "C" NOT NULL, PRIMARY KEY (entry, id))
  WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
CREATE TABLE approvals_by_expiry (entry text COLLATE "C" NOT NULL, id text COLLATE "C" NOT NULL, PRIMARY KEY (entry, id))
  WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);

CREATE TABLE nonces (id text COLLATE "C" PRIMARY KEY, version bigint NOT NULL, body bytea NOT NULL)
  WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
CREATE TABLE nonces_by_expiry (entry text COLLATE "C" NOT NULL, id text COLLATE "C" NOT NULL, PRIMARY KEY (entry, id))
  WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
CREATE TABLE budgets (id text COLLATE "C" PRIMARY KEY, version bigint NOT NULL, body bytea NOT NULL)
  WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
CREATE TABLE payments (id text COLLATE "C" PRIMARY KEY, version bigint NOT NULL, body bytea NOT NULL)
  WITH (fillfactor = 90, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);

CREATE TABLE audit_trees (id text COLLATE "C" PRIMARY KEY, version bigint NOT NULL, body bytea NOT NULL)
  WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
CREATE TABLE audit_tiles (id text COLLATE "C" PRIMARY KEY, version bigint NOT NULL, body bytea NOT NULL)
  WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
CREATE TABLE audit_checkpoints (id text COLLATE "C" PRIMARY KEY, version bigint NOT NULL, body bytea NOT NULL)
  WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);

CREATE TABLE messages (id text COLLATE "C" PRIMARY KEY, version bigint NOT NULL, body bytea NOT NULL)
  WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
CREATE TABLE messages_by_visible (entry text COLLATE "C" NOT NULL, id text COLLATE "C" NOT NULL, PRIMARY KEY (entry, id))
  WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
CREATE TABLE messages_by_window (entry text COLLATE "C" NOT NULL, id text COLLATE "C" NOT NULL, PRIMARY KEY (entry, id))
  WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
CREATE TABLE queues (id text COLLATE "C" PRIMARY KEY, version bigint NOT NULL, body bytea NOT NULL)
  WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
CREATE TABLE results (id text COLLATE "C" PRIMARY KEY, version bigint NOT NULL, body bytea NOT NULL)
  WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
CREATE TABLE dead_letters (id text COLLATE "C" PRIMARY KEY, version bigint NOT NULL, body bytea NOT NULL)
  WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
CREATE TABLE announcements (id text COLLATE "C" PRIMARY KEY, version bigint NOT NULL, body bytea NOT NULL)
  WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);

CREATE TABLE leases (id text COLLATE "C" PRIMARY KEY, version bigint NOT NULL, body bytea NOT NULL)
  WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);

CREATE TABLE webhooks (id text COLLATE "C" PRIMARY KEY, version bigint NOT NULL, body bytea NOT NULL)
  WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
CREATE TABLE webhook_deliveries (id text COLLATE "C" PRIMARY KEY, version bigint NOT NULL, body bytea NOT NULL)
  WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
