-- What a device is called, in parts that every language puts together its own way: {"browser": "Chrome", "system": "Android"}.
-- Until now it was English: 'Chrome on Android'.
CREATE FUNCTION bank.device_parts(name text) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE
    WHEN name = 'Unknown device' THEN '{"browser": null, "system": null}'
    WHEN name = 'Another customer' THEN '{"browser": null, "system": null, "by": "another_customer"}'
    WHEN name = 'Alder''s review desk' THEN '{"browser": null, "system": null, "by": "review_desk"}'
    WHEN position(' on ' IN name) = 0 THEN jsonb_build_object('browser', name, 'system', NULL)
    ELSE jsonb_build_object(
      'browser', left(name, position(' on ' IN name) - 1),
      'system', substr(name, position(' on ' IN name) + 4)
    )
  END
$$;

ALTER TABLE bank.session
  ALTER COLUMN device DROP DEFAULT,
  ALTER COLUMN device TYPE jsonb USING bank.device_parts(device),
  ALTER COLUMN device SET DEFAULT '{"browser": null, "system": null}';
ALTER TABLE bank.known_device ALTER COLUMN device TYPE jsonb USING bank.device_parts(device);
ALTER TABLE bank.security_event ALTER COLUMN device TYPE jsonb USING bank.device_parts(device);

DROP FUNCTION bank.device_parts(text);
