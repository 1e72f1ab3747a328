-- Every proof belongs to the request it was asked for: when a session last saw one decides nothing any more.
ALTER TABLE bank.session DROP COLUMN proved_at;
