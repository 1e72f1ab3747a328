import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Clock3 } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'react-router'
import type { SignInResponse } from '#contract/identity.ts'
import { firstNameOf } from '#contract/initials.ts'
import { usePasskeyAutofill } from '#web/identity/sign-in/autofill.ts'
import { AuthLayout } from '#web/identity/layout/auth-layout.tsx'
import { ForgotSheet } from '#web/identity/sign-in/forgot-sheet.tsx'
import { PasswordForm } from '#web/identity/sign-in/password-form.tsx'
import { SecondFactorForm } from '#web/identity/sign-in/second-factor.tsx'
import { currentSessionQuery } from '#web/identity/session/session.ts'
import { useBiometrics } from '#web/identity/sign-in/biometrics.ts'
import { useEnterApp } from '#web/identity/layout/enter-app.ts'
import { pageAfterSignIn } from '#web/lib/sign-in-redirect.ts'
import { paths } from '#web/lib/paths.ts'
import type { SignOutReason } from '#web/lib/browser-tabs.ts'

/** The navigation state of a link or redirect to this screen. */
type LoginState = { reason?: SignOutReason; forgot?: boolean }

export function LoginScreen() {
  const { t } = useLingui()
  const { search, state } = useLocation()
  const { reason, forgot = false } = (state ?? {}) as LoginState
  const [oneTimeToken, setOneTimeToken] = useState<string | null>(null)
  const [isForgotten, setForgotten] = useState(forgot)
  const [times, setTimes] = useState(0)
  const [email, setEmail] = useState('')
  const [isDone, setDone] = useState(false)
  const enterApp = useEnterApp()
  const session = useQuery(currentSessionQuery).data

  const firstName = session?.me && firstNameOf(session.me.customer.fullName)

  function onResponse(response: SignInResponse | null): void {
    if (response?.status === 'second_factor') setOneTimeToken(response.oneTimeToken)
    if (response?.status !== 'signed_in') return
    setDone(true)
    enterApp(response.me, pageAfterSignIn(search), 1000)
  }

  const biometrics = useBiometrics(session, onResponse)
  usePasskeyAutofill(oneTimeToken === null && !isDone && !biometrics.asking, biometrics.onPasskey)

  if (oneTimeToken !== null) {
    return (
      <AuthLayout
        title={t({ message: 'Sign In', context: 'title of a screen' })}
        heading={t`One more step`}
        intro={t`Enter the code your authenticator app shows for Alder, or a recovery code.`}
        back={() => setOneTimeToken(null)}
      >
        <SecondFactorForm oneTimeToken={oneTimeToken} onResponse={onResponse} onEnded={() => setOneTimeToken(null)} />
      </AuthLayout>
    )
  }
  return (
    <AuthLayout
      title={t({ message: 'Sign In', context: 'title of a screen' })}
      heading={firstName ? t`Welcome back, ${firstName}` : t`Welcome back`}
      picture="welcome"
      intro={t`Sign in to your Alder account.`}
      back={paths.home}
    >
      {reason === 'idle' && <SignedOut />}
      <PasswordForm
        email={email}
        onEmail={setEmail}
        onResponse={onResponse}
        onForgot={() => {
          setTimes(times + 1)
          setForgotten(true)
        }}
        biometrics={biometrics}
      />
      <ForgotSheet
        key={times}
        open={isForgotten}
        onOpenChange={setForgotten}
        email={email}
        mailboxPage={session?.mailboxPage ?? false}
      />
    </AuthLayout>
  )
}

function SignedOut() {
  return (
    <p
      role="status"
      className="flex gap-3 rounded-control bg-warning-subtle px-4 py-3 text-sm font-medium text-warning"
    >
      <Clock3 aria-hidden className="mt-px size-5 shrink-0" strokeWidth={2} />
      <Trans>We signed you out because you were away for a while.</Trans>
    </p>
  )
}
