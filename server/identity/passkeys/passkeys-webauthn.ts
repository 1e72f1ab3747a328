import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import { COSEALG, decodeAttestationObject, isoBase64URL } from '@simplewebauthn/server/helpers'
import { isIP } from 'node:net'
import { Refusal } from '#contract/errors.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import type { KnownPasskey, NewPasskey, OwnedPasskey, SignedPasskey } from '#server/identity/passkeys/passkeys.ts'

/** The time in which the customer must answer, in milliseconds. It equals the lifetime of the challenge's one-time token. */
const TIMEOUT_MS = 5 * 60_000

/** The bank as a WebAuthn relying party. `id` is its host name, to which passkeys are permanently bound. */
export type RelyingParty = { origin: string; id: string }

/** Returns null if the bank's address is an IP address, because WebAuthn requires a name. */
export function relyingPartyAt(origin: string): RelyingParty | null {
  const { hostname } = new URL(origin)
  return isIP(hostname.replace(/^\[|\]$/g, '')) === 0 ? { origin, id: hostname } : null
}

/** Returns the relying party at an address. Throws Refusal `passkey_unavailable` if the address is an IP address. */
export function requireRelyingParty(origin: string): RelyingParty {
  const party = relyingPartyAt(origin)
  if (!party) throw new Refusal('passkey_unavailable')
  return party
}

/**
 * The signature algorithms. Every device supports at least one of these. The library offers more, but those are experimental in
 * Node and print a warning when the bank starts.
 */
const ALGORITHMS = [COSEALG.EdDSA, COSEALG.ES256, COSEALG.RS256]

const UUID_BYTES = 16

/** Returns the user handle: the bytes in a passkey that identify its owner. */
function userHandleOf(customerId: string): Uint8Array<ArrayBuffer> {
  const handle = new Uint8Array(UUID_BYTES)
  handle.set(Buffer.from(customerId.replaceAll('-', ''), 'hex'))
  return handle
}

/** A passkey in the form that browsers receive. */
const described = ({ id, transports = [] }: KnownPasskey) => ({ id, transports })

/**
 * Returns the options for a new passkey. It must identify its owner by itself (resident key) and verify the owner each time.
 */
export function creationOptions(party: RelyingParty, customer: Customer, passkeys: readonly KnownPasskey[]) {
  return generateRegistrationOptions({
    rpName: 'Alder',
    rpID: party.id,
    userID: userHandleOf(customer.id),
    userName: customer.email,
    userDisplayName: customer.fullName,
    timeout: TIMEOUT_MS,
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: passkeys.map(described),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
}

/** Returns the options for a signature. Without known passkeys, the browser offers all its passkeys for the bank. */
export function requestOptions(
  party: RelyingParty,
  { known = [], challenge }: { known?: readonly KnownPasskey[]; challenge?: string } = {},
) {
  return generateAuthenticationOptions({
    rpID: party.id,
    timeout: TIMEOUT_MS,
    userVerification: 'required',
    allowCredentials: known.map(described),
    ...(challenge === undefined ? {} : { challenge: isoBase64URL.toBuffer(challenge) }),
  })
}

/** The relying party and the challenge (in base64url) that a credential must match. */
export type ExpectedCredential = { party: RelyingParty; challenge: string }

const expectations = ({ party, challenge }: ExpectedCredential) => ({
  expectedChallenge: challenge,
  expectedOrigin: party.origin,
  expectedRPID: party.id,
  requireUserVerification: true,
})

/**
 * Returns whether the attestation has no certificates. The bank asks for none. A device may send a self-signed attestation.
 * Certificates are refused, because the library would fetch from addresses that are written in them.
 */
function bringsNoCertificates(response: RegistrationResponseJSON): boolean {
  const attestation = decodeAttestationObject(isoBase64URL.toBuffer(response.response.attestationObject))
  const format = attestation.get('fmt')
  return format === 'none' || (format === 'packed' && !attestation.get('attStmt').get('x5c'))
}

/** Verifies the passkey that a browser has created. Throws Refusal `passkey_refused` if it does not match the options. */
export async function verifyCreation(
  expected: ExpectedCredential,
  credential: object,
): Promise<Omit<NewPasskey, 'name'>> {
  const response = credential as RegistrationResponseJSON
  try {
    if (!bringsNoCertificates(response)) throw new Error('There are certificates')
    const { registrationInfo } = await verifyRegistrationResponse({
      ...expectations(expected),
      response,
      supportedAlgorithmIDs: ALGORITHMS,
    })
    if (!registrationInfo) throw new Error('The signature is wrong')
    const { credential: newCredential, credentialBackedUp, credentialDeviceType } = registrationInfo
    return { ...newCredential, synced: credentialBackedUp, mayBeCopied: credentialDeviceType === 'multiDevice' }
  } catch (error) {
    // The library throws for every kind of invalid response.
    throw new Refusal('passkey_refused', undefined, { cause: error })
  }
}

/**
 * Verifies a passkey's signature, including that the device verified its owner. If any customer's passkey was allowed, the
 * response must identify the owner (WebAuthn Level 3, section 7.2, step 6). Throws Refusal `passkey_refused`.
 */
export async function verifyAssertion(
  expected: ExpectedCredential,
  { passkey, customer }: OwnedPasskey,
  { credential, signer }: { credential: object; signer: 'somebody' | 'anybody' },
): Promise<SignedPasskey> {
  const response = credential as AuthenticationResponseJSON
  try {
    const { userHandle } = response.response
    const silent = userHandle === undefined || userHandle === null
    if (silent ? signer === 'anybody' : userHandle !== isoBase64URL.fromBuffer(userHandleOf(customer.id))) {
      throw new Error('The passkey does not say that it is theirs')
    }
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      ...expectations(expected),
      response,
      // `recordPasskeyUse` decides what a counter that has not increased means.
      credential: { ...passkey, counter: 0 },
    })
    if (!verified) throw new Error('The signature is wrong')
    const { newCounter, credentialBackedUp } = authenticationInfo
    return {
      passkeyId: passkey.passkeyId,
      customerId: customer.id,
      counter: newCounter,
      synced: credentialBackedUp,
      // The value is from the passkey's creation. A clone could send any value now.
      mayBeCopied: passkey.mayBeCopied,
    }
  } catch (error) {
    throw new Refusal('passkey_refused', undefined, { cause: error })
  }
}
