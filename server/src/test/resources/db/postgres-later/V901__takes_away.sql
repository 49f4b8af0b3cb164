-- One later still, after which servers before 900 are of no use.
ALTER TABLE jobs DROP COLUMN note;
UPDATE nonbis_schema SET works_from = 900;
