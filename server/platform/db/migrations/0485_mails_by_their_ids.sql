-- compatible from: 0447
-- Old mails are found by their ids, which say when they were made. This index of 0474_growing_tables.sql found fewer and fewer
-- of them: a range of pages that ever had an old row counts as old for ever, also once new ones are in its place.
SET LOCAL lock_timeout = '500ms';
DROP INDEX bank.mail_age;
