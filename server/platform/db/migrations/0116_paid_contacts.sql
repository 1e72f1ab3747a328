-- Whether a customer ever sent money there: people they split a bill with are contacts, too, and may be mistyped.
ALTER TABLE bank.contact ADD COLUMN paid boolean NOT NULL DEFAULT true;
ALTER TABLE bank.contact ALTER COLUMN paid DROP DEFAULT;
