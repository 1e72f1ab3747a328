-- owed: confirmed after its customer had closed. The bank keeps the money until the provider takes it back.
ALTER TABLE bank.collection DROP CONSTRAINT collection_status_check;
ALTER TABLE bank.collection ADD CONSTRAINT collection_status_check
  CHECK (status IN ('pending', 'confirmed', 'failed', 'expired', 'return_due', 'returned', 'owed'));
CREATE INDEX collection_owed ON bank.collection (created_at) WHERE status = 'owed';
