-- A later version that only adds, so that servers before it go on.
ALTER TABLE jobs ADD COLUMN note text DEFAULT 'new';
CREATE TABLE things (id text COLLATE "C" PRIMARY KEY, version bigint NOT NULL);
CREATE INDEX jobs_by_note ON jobs (note);
