-- A notice is kept as what it is about, as mails are; the screen has the words.
ALTER TABLE bank.notification ADD COLUMN params jsonb;

CREATE FUNCTION pg_temp.minor(amount text) RETURNS bigint LANGUAGE sql IMMUTABLE AS
  $$ SELECT (replace(amount, ',', '')::numeric * 100)::bigint $$;

WITH patterns (kind, pattern) AS (
  VALUES ('payment_received', '^You received \$([0-9,]+\.[0-9]{2}) from (.*)\.$'),
         ('card_payment', '^You paid \$([0-9,]+\.[0-9]{2}) at (.*)\.$'),
         ('payment_claimed', '^\$([0-9,]+\.[0-9]{2}) to (.*) was claimed\.$'),
         ('payment_expired', '^\$([0-9,]+\.[0-9]{2}) to (.*) was not claimed in time and is back in your account\.$'),
         ('top_up_settled', '^\$([0-9,]+\.[0-9]{2}) (from your bank) is in your account\.$')
), read AS (
  SELECT n.id, n.kind, regexp_match(n.message, p.pattern) AS parts
    FROM bank.notification n JOIN patterns p USING (kind)
)
UPDATE bank.notification n
   SET params = jsonb_build_object('amountMinor', pg_temp.minor(parts[1]), 'asset', 'USD')
                || CASE WHEN read.kind = 'top_up_settled' THEN '{}' ELSE jsonb_build_object('name', parts[2]) END
  FROM read WHERE read.id = n.id AND parts IS NOT NULL;

UPDATE bank.notification SET params = '{"feature": "send_to_anyone"}' WHERE kind = 'new_feature';
UPDATE bank.notification SET params = '{}' WHERE kind = 'kyc_approved';
UPDATE bank.notification
   SET params = jsonb_build_object('reason', nullif(regexp_replace(message,
         '^(We couldn''t verify your identity|We need new documents to verify your identity)\. ?', ''), ''))
 WHERE kind IN ('kyc_rejected', 'kyc_again');
-- What was worded in no way that is known.
UPDATE bank.notification
   SET kind = 'earlier', params = jsonb_build_object('title', title, 'message', message)
 WHERE params IS NULL;

ALTER TABLE bank.notification
  ALTER COLUMN params SET NOT NULL,
  DROP COLUMN title,
  DROP COLUMN message;
