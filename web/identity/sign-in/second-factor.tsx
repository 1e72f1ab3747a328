import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { SignInResponse } from '#contract/identity.ts'
import { errorText } from '#web/i18n/error-text.ts'
import { CodeForm } from '#web/identity/factors/code-form.tsx'
import { signInWithCode } from '#web/identity/queries.ts'
import { useSubmission } from '#web/lib/submission.ts'

type SecondFactorProps = {
  /** The token from the response to the first factor. */
  oneTimeToken: string
  onResponse: (response: SignInResponse | null) => void
  /** Runs when the first factor has expired or too many codes were wrong. The sign-in then starts again. */
  onEnded: () => void
}

/** The second step of signing in, for customers with two-factor authentication. */
export function SecondFactorForm({ oneTimeToken, onResponse, onEnded }: SecondFactorProps) {
  const { t } = useLingui()
  const [errorMessage, setErrorMessage] = useState<string | null>(null)
  const { submit, busy, done } = useSubmission({
    send: signInWithCode,
    loading: () => t`Signing in…`,
    success: () => ({ message: t`Login successful!` }),
    onRefused: ({ code }) => {
      if (code === 'step_ended') onEnded()
      else if (code === 'code_wrong') setErrorMessage(errorText(code))
    },
  })
  return (
    <CodeForm
      action={t`Sign In`}
      busy={busy}
      done={done}
      error={errorMessage}
      onEdit={() => setErrorMessage(null)}
      onCode={async (code) => {
        const response = await submit({ oneTimeToken, code })
        onResponse(response)
        return response !== null
      }}
    />
  )
}
