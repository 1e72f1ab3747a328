-- A mail is kept as what it is about; its words are made when it is read or sent.
ALTER TABLE bank.mail
  -- Names the text in server/mail/catalogue.ts.
  ADD COLUMN kind text,
  -- What the text says of this one mail: names, amounts, times.
  ADD COLUMN params jsonb,
  -- What its link is worth, sealed; null where it has none or only leads to a page.
  ADD COLUMN token bytea;
UPDATE bank.mail SET kind = 'earlier', params = jsonb_build_object('subject', subject, 'text', text);
ALTER TABLE bank.mail
  ALTER COLUMN kind SET NOT NULL,
  ALTER COLUMN params SET NOT NULL,
  DROP COLUMN subject,
  DROP COLUMN text;

-- A mail belongs to a customer, never to whoever has the address it went to.
DROP INDEX bank.mail_recipient;
COMMENT ON COLUMN bank.mail.customer_id IS 'Whose mailbox and export it is in; null for nobody''s.';
