-- Rows are kept as they were written; the version goes up with each write. Index tables hold one row for each entry.

-- Idempotency keys are only ever asked for one by one: the first 16 bytes of the SHA-256 of the key's text stand for it.
CREATE TABLE keys (id BLOB NOT NULL PRIMARY KEY, version INTEGER NOT NULL, body BLOB NOT NULL) WITHOUT ROWID;

CREATE TABLE tenants (id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, body BLOB NOT NULL);
CREATE TABLE admissions (id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, body BLOB NOT NULL);

CREATE TABLE jobs (id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, body BLOB NOT NULL);
CREATE TABLE jobs_by_due (entry TEXT NOT NULL, id TEXT NOT NULL, PRIMARY KEY (entry, id)) WITHOUT ROWID;
CREATE TABLE jobs_by_state (entry TEXT NOT NULL, id TEXT NOT NULL, PRIMARY KEY (entry, id)) WITHOUT ROWID;
CREATE TABLE jobs_by_topic (entry TEXT NOT NULL, id TEXT NOT NULL, PRIMARY KEY (entry, id)) WITHOUT ROWID;
CREATE TABLE jobs_by_label (entry TEXT NOT NULL, id TEXT NOT NULL, PRIMARY KEY (entry, id)) WITHOUT ROWID;

CREATE TABLE runs (id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, body BLOB NOT NULL);
CREATE TABLE runs_by_state (entry TEXT NOT NULL, id TEXT NOT NULL, PRIMARY KEY (entry, id)) WITHOUT ROWID;
CREATE TABLE runs_by_workflow (entry TEXT NOT NULL, id TEXT NOT NULL, PRIMARY KEY (entry, id)) WITHOUT ROWID;

CREATE TABLE workflows (id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, body BLOB NOT NULL);
CREATE TABLE workflow_versions (id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, body BLOB NOT NULL);
CREATE TABLE audit (id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, body BLOB NOT NULL);
