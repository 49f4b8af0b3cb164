-- Batches stand in the journal's files first. The base tells this database's journal from others, the position how far the database has followed
-- it, and the starts how often it was begun.

CREATE TABLE journal (id INTEGER PRIMARY KEY CHECK (id = 1), base INTEGER NOT NULL, position INTEGER NOT NULL, starts INTEGER NOT NULL);
INSERT INTO journal VALUES (1, random(), 0, 0);
