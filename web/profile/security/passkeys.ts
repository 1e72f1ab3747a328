import { plural, t } from '@lingui/core/macro'
import { type PublicKeyCredentialCreationOptionsJSON, startRegistration } from '@simplewebauthn/browser'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Refusal } from '#contract/errors.ts'
import type { Passkey, Security } from '#contract/identity.ts'
import { toast } from '#web/lib/toast.ts'
import { forgetPasskey, setPasskeyRemembered } from '#web/lib/remembered-passkey.ts'
import { addPasskey, beginPasskey, removePasskey, securityQuery } from '#web/profile/queries.ts'
import { toastError } from '#web/lib/error-toast.ts'

/** Returns the refusal for an error of the browser while creating a passkey (Web Authentication Level 3, section 5.1.3). */
function refusalOfBrowser(error: unknown): Refusal {
  const isRegistered = error instanceof Error && error.name === 'InvalidStateError'
  return new Refusal(isRegistered ? 'passkey_known' : 'passkey_not_made', undefined, { cause: error })
}

/** Creates a passkey on the device and stores its public key at the bank. Throws Refusal. */
async function makePasskey(): Promise<Security> {
  const { oneTimeToken, options } = await beginPasskey()
  const response = await startRegistration({
    optionsJSON: options as unknown as PublicKeyCredentialCreationOptionsJSON,
  }).catch((error: unknown) => {
    throw refusalOfBrowser(error)
  })
  return addPasskey(oneTimeToken, response)
}

async function removeAll(passkeys: readonly Passkey[]): Promise<Security | null> {
  let last: Security | null = null
  for (const { id, credentialId } of passkeys) {
    last = await removePasskey(id)
    void forgetPasskey(credentialId)
  }
  return last
}

/** Returns functions that create and remove passkeys, with their messages. */
export function usePasskeys() {
  const queries = useQueryClient()
  const options = {
    // The device prompts the person on each try, so there are no automatic retries.
    retry: false,
    onSettled: () => queries.invalidateQueries(),
  }
  const track = (security: Security) => queries.setQueryData(securityQuery.queryKey, security)
  const add = useMutation({
    ...options,
    mutationFn: makePasskey,
    onError: toastError,
    onSuccess: (security) => {
      track(security)
      setPasskeyRemembered(true)
      toast.success(t`Passkey added`)
    },
  })
  const remove = useMutation({
    ...options,
    mutationFn: removeAll,
    onSuccess: (security, removed) => {
      if (security) track(security)
      // The app cannot know which passkeys this browser holds. If none are left, sign-in does not offer them.
      if (!security?.passkeys.length) setPasskeyRemembered(false)
      const count = removed.length
      toast.success(plural(count, { one: 'Passkey removed', other: 'Passkeys removed' }))
    },
  })
  return { add, remove }
}
