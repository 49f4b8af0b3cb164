-- Rows that stand under the same text are kept many to a row: their ids from the low end on, up to where the next of the text begins. The first
-- begins with the empty text. The ids come in order, after what all begin with; char(1) is between. There are twenty here because
-- these begin with nothing in common, and above 1,000 bytes each would take a page.

ALTER TABLE jobs_by_label RENAME TO jobs_by_label_2;
CREATE TABLE jobs_by_label (entry TEXT NOT NULL, low TEXT NOT NULL, ids TEXT NOT NULL, PRIMARY KEY (entry, low)) WITHOUT ROWID;
INSERT INTO jobs_by_label
    SELECT entry, iif(chunk = 0, '', min(id)), char(1) || group_concat(id, char(1) ORDER BY id)
    FROM (SELECT entry, id, (row_number() OVER (PARTITION BY entry ORDER BY id) - 1) / 20 AS chunk FROM jobs_by_label_2)
    GROUP BY entry, chunk;
DROP TABLE jobs_by_label_2;
