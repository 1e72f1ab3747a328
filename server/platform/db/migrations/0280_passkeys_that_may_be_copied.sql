-- Whether a passkey's maker may copy it to the customer's other devices: said when it is made, and unchanging (WebAuthn
-- Level 3, section 6.1.3). Only one that may be copied can have been.
ALTER TABLE bank.passkey ADD COLUMN may_be_copied boolean NOT NULL DEFAULT false;
UPDATE bank.passkey SET may_be_copied = synced;
