-- Contacts that their owner wants first.
ALTER TABLE bank.contact ADD COLUMN favourite boolean NOT NULL DEFAULT false;
DROP INDEX bank.contact_recent;
CREATE INDEX contact_offered ON bank.contact (owner_id, favourite DESC, last_used_at DESC, address);
