-- Since when a recurring job has had something to do that it has not done yet; null while it has nothing to do. A turn at which
-- it has nothing to do then writes nothing.
ALTER TABLE bank.job_run ADD COLUMN due_since timestamptz;
