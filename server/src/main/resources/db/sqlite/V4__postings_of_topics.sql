-- A job has its topic and a run its workflow for good, so these are kept as labels are.

DROP INDEX jobs_by_topic;
CREATE TABLE jobs_by_topic (entry TEXT NOT NULL, low TEXT NOT NULL, ids TEXT NOT NULL, PRIMARY KEY (entry, low)) WITHOUT ROWID;
INSERT INTO jobs_by_topic
    SELECT by_topic, iif(chunk = 0, '', min(id)), char(1) || group_concat(id, char(1) ORDER BY id)
    FROM (SELECT by_topic, id, (row_number() OVER (PARTITION BY by_topic ORDER BY id) - 1) / 20 AS chunk FROM jobs WHERE by_topic IS NOT NULL)
    GROUP BY by_topic, chunk;
ALTER TABLE jobs DROP COLUMN by_topic;

DROP INDEX runs_by_workflow;
CREATE TABLE runs_by_workflow (entry TEXT NOT NULL, low TEXT NOT NULL, ids TEXT NOT NULL, PRIMARY KEY (entry, low)) WITHOUT ROWID;
INSERT INTO runs_by_workflow
    SELECT by_workflow, iif(chunk = 0, '', min(id)), char(1) || group_concat(id, char(1) ORDER BY id)
    FROM (SELECT by_workflow, id, (row_number() OVER (PARTITION BY by_workflow ORDER BY id) - 1) / 20 AS chunk FROM runs WHERE by_workflow IS NOT NULL)
    GROUP BY by_workflow, chunk;
ALTER TABLE runs DROP COLUMN by_workflow;
