-- Rows are kept as they were written; the version goes up with each write. A row that stands once at most in an order has its place there
-- in a column. Where it may stand more than once, or where many rows stand under one text for good, a table keeps the ids of such rows together,
-- many to a row: those from the low end on, up to where the next row of the text begins. The first begins with the empty text. The ids come in
-- order, after what all begin with; char(1) is between. Columns come before the body, which may be long.

CREATE TABLE keys (id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, by_expiry TEXT, body BLOB NOT NULL);
CREATE INDEX keys_by_expiry ON keys (by_expiry, id) WHERE by_expiry IS NOT NULL;

CREATE TABLE tenants (id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, by_checkpoint TEXT, by_change TEXT, by_news TEXT, body BLOB NOT NULL);
CREATE INDEX tenants_by_checkpoint ON tenants (by_checkpoint, id) WHERE by_checkpoint IS NOT NULL;
CREATE INDEX tenants_by_change ON tenants (by_change, id) WHERE by_change IS NOT NULL;
CREATE INDEX tenants_by_news ON tenants (by_news, id) WHERE by_news IS NOT NULL;
CREATE TABLE admissions (id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, body BLOB NOT NULL);

CREATE TABLE jobs (id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, by_due TEXT, by_watch TEXT, by_state TEXT, body BLOB NOT NULL);
CREATE INDEX jobs_by_due ON jobs (by_due, id) WHERE by_due IS NOT NULL;
CREATE INDEX jobs_by_watch ON jobs (by_watch, id) WHERE by_watch IS NOT NULL;
CREATE INDEX jobs_by_state ON jobs (by_state, id) WHERE by_state IS NOT NULL;
CREATE TABLE jobs_by_topic (entry TEXT NOT NULL, low TEXT NOT NULL, ids TEXT NOT NULL, PRIMARY KEY (entry, low)) WITHOUT ROWID;
CREATE TABLE jobs_by_label (entry TEXT NOT NULL, low TEXT NOT NULL, ids TEXT NOT NULL, PRIMARY KEY (entry, low)) WITHOUT ROWID;

CREATE TABLE runs (id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, by_state TEXT, body BLOB NOT NULL);
CREATE INDEX runs_by_state ON runs (by_state, id) WHERE by_state IS NOT NULL;
CREATE TABLE runs_by_workflow (entry TEXT NOT NULL, low TEXT NOT NULL, ids TEXT NOT NULL, PRIMARY KEY (entry, low)) WITHOUT ROWID;

CREATE TABLE workflows (id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, body BLOB NOT NULL);
CREATE TABLE workflow_versions (id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, body BLOB NOT NULL);
CREATE TABLE audit (id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, body BLOB NOT NULL);

CREATE TABLE approvals (id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, by_status TEXT, by_expiry TEXT, body BLOB NOT NULL);
CREATE INDEX approvals_by_status ON approvals (by_status, id) WHERE by_status IS NOT NULL;
CREATE INDEX approvals_by_expiry ON approvals (by_expiry, id) WHERE by_expiry IS NOT NULL;

CREATE TABLE nonces (id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, by_expiry TEXT, body BLOB NOT NULL);
CREATE INDEX nonces_by_expiry ON nonces (by_expiry, id) WHERE by_expiry IS NOT NULL;
CREATE TABLE budgets (id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, body BLOB NOT NULL);
CREATE TABLE payments (id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, by_status TEXT, by_agent TEXT, body BLOB NOT NULL);
CREATE INDEX payments_by_status ON payments (by_status, id) WHERE by_status IS NOT NULL;
CREATE INDEX payments_by_agent ON payments (by_agent, id) WHERE by_agent IS NOT NULL;

CREATE TABLE audit_trees (id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, by_removal TEXT, body BLOB NOT NULL);
CREATE INDEX audit_trees_by_removal ON audit_trees (by_removal, id) WHERE by_removal IS NOT NULL;
CREATE TABLE audit_tiles (id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, body BLOB NOT NULL);
CREATE TABLE audit_checkpoints (id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, body BLOB NOT NULL);

CREATE TABLE messages (id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, by_visible TEXT, by_window TEXT, body BLOB NOT NULL);
CREATE INDEX messages_by_visible ON messages (by_visible, id) WHERE by_visible IS NOT NULL;
CREATE INDEX messages_by_window ON messages (by_window, id) WHERE by_window IS NOT NULL;
CREATE TABLE queues (id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, by_waiting TEXT, body BLOB NOT NULL);
CREATE INDEX queues_by_waiting ON queues (by_waiting, id) WHERE by_waiting IS NOT NULL;
CREATE TABLE results (id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, body BLOB NOT NULL);
CREATE TABLE dead_letters (id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, body BLOB NOT NULL);
CREATE TABLE announcements (id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, body BLOB NOT NULL);

CREATE TABLE leases (id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, body BLOB NOT NULL);

CREATE TABLE webhooks (id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, by_due TEXT, body BLOB NOT NULL);
CREATE INDEX webhooks_by_due ON webhooks (by_due, id) WHERE by_due IS NOT NULL;
CREATE TABLE webhook_deliveries (id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, body BLOB NOT NULL);

-- Batches stand in the journal's files first. The base tells this database's journal from others, the position how far the database has followed
-- it, and the starts how often it was begun.

CREATE TABLE journal (id INTEGER PRIMARY KEY CHECK (id = 1), base INTEGER NOT NULL, position INTEGER NOT NULL, starts INTEGER NOT NULL);
INSERT INTO journal VALUES (1, random(), 0, 0);
