-- compatible from: 0447
-- What a restored bank holds back until its operator has seen what happened after the moment that it knows of, and releases it.
-- The owner's role alone writes here (npm run restore, npm run held). Real time.
CREATE TABLE bank.held (
  kind        text PRIMARY KEY CHECK (kind IN ('changes', 'mail', 'texts', 'push', 'rails')),
  held_at     timestamptz NOT NULL DEFAULT now(),
  known_until timestamptz NOT NULL
);
GRANT SELECT ON bank.held TO alder_app;
