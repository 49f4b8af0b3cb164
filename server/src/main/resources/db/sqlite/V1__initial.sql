-- Rows are kept as they were written; the version goes up with each write. Index tables hold one row for each entry.

-- Keys arrive in no order and their rows are small: one tree instead of two halves the pages that an insert touches at random.
CREATE TABLE keys (id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, body BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE keys_by_expiry (entry TEXT NOT NULL, id TEXT NOT NULL, PRIMARY KEY (entry, id)) WITHOUT ROWID;

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

CREATE TABLE approvals (id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, body BLOB NOT NULL);
CREATE TABLE approvals_by_status (entry TEXT NOT NULL, id TEXT NOT NULL, PRIMARY KEY (entry, id)) WITHOUT ROWID;
CREATE TABLE approvals_by_expiry (entry TEXT NOT NULL, id TEXT NOT NULL, PRIMARY KEY (entry, id)) WITHOUT ROWID;
