/** Everything a security event can be, with what a person reads about it. */
export const SECURITY_EVENTS = {
  signed_up: 'Account opened',
  signed_in_with_password: 'Signed in with password',
  signed_in_with_passkey: 'Signed in with passkey',
  signed_in_with_biometric: 'Signed in with biometrics',
  signed_in_with_recovery_code: 'Signed in with a recovery code',
  sign_in_failed: 'Sign-in failed',
  password_locked: 'Password locked after too many attempts',
  codes_locked: 'Sign-in codes locked after too many attempts',
  signed_out: 'Signed out',
  device_signed_out: 'Device signed out',
  other_devices_signed_out: 'Other devices signed out',
  password_reset_asked: 'Password link requested',
  password_changed: 'Password changed',
  email_confirmed: 'Email confirmed',
  email_change_asked: 'Email change requested',
  email_changed: 'Email changed',
  details_changed: 'Personal information changed',
  passkey_added: 'Passkey added',
  passkey_removed: 'Passkey removed',
  two_factor_on: 'Two-factor authentication turned on',
  two_factor_off: 'Two-factor authentication turned off',
  recovery_codes_made: 'New recovery codes created',
  proof_given: 'Identity confirmed again',
  proof_refused: 'Identity confirmation failed',
  data_downloaded: 'Data downloaded',
  kyc_submitted: 'Identity documents sent',
  kyc_approved: 'Identity verified',
  kyc_rejected: 'Identity not verified',
  kyc_again: 'New identity documents requested',
  phone_confirmed: 'Phone number confirmed',
  phone_lost: 'Phone number removed from your account',
  document_opened: 'Identity document opened by a reviewer',
  account_closed: 'Account closed',
} as const
export type SecurityEventKind = keyof typeof SECURITY_EVENTS

/** The network zone a device was in, derived from its address, which is not kept. */
export const NETWORK_ZONES = {
  this_computer: 'This computer',
  local_network: 'Local network',
  internet: 'Internet',
} as const
export type NetworkZone = keyof typeof NETWORK_ZONES
