import { useQuery } from '@tanstack/react-query'
import { Clock3 } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'react-router'
import type { SignInResponse } from '#contract/identity.ts'
import { usePasskeyAutofill } from '#web/identity/autofill.ts'
import { Entrance } from '#web/identity/entrance.tsx'
import { ForgotSheet } from '#web/identity/forgot-sheet.tsx'
import { PasswordForm } from '#web/identity/password-form.tsx'
import { SecondFactor } from '#web/identity/second-factor.tsx'
import { currentSessionQuery } from '#web/identity/session.ts'
import { useBiometrics } from '#web/identity/biometrics.ts'
import { useWelcome } from '#web/identity/welcome.ts'
import { nextIn } from '#web/lib/next.ts'
import { paths } from '#web/lib/paths.ts'
import type { SignedOut } from '#web/lib/tabs.ts'

const ON_AFTER_MS = 1000

/** How somebody may come here: from a link of their own, or led by the app. */
type CameWith = { because?: SignedOut; forgot?: boolean }

export function LoginScreen() {
  const { search, state } = useLocation()
  const { because, forgot = false } = (state ?? {}) as CameWith
  const [oneTimeToken, setOneTimeToken] = useState<string | null>(null)
  const [forgotten, setForgotten] = useState(forgot)
  const [times, setTimes] = useState(0)
  const [email, setEmail] = useState('')
  const [done, setDone] = useState(false)
  const welcome = useWelcome()
  const session = useQuery(currentSessionQuery).data

  function onAnswer(answer: SignInResponse | null): void {
    if (answer?.status === 'second_factor') setOneTimeToken(answer.oneTimeToken)
    if (answer?.status !== 'signed_in') return
    setDone(true)
    welcome(answer.me, nextIn(search), ON_AFTER_MS)
  }

  const biometrics = useBiometrics(session, onAnswer)
  usePasskeyAutofill(oneTimeToken === null && !done && !biometrics.asking, biometrics.onShown)

  if (oneTimeToken !== null) {
    return (
      <Entrance
        title="Sign In"
        heading="One more step"
        intro="Enter the code your authenticator app shows for Alder, or a recovery code."
        back={() => setOneTimeToken(null)}
      >
        <SecondFactor
          oneTimeToken={oneTimeToken}
          done={done}
          onAnswer={onAnswer}
          onEnded={() => setOneTimeToken(null)}
        />
      </Entrance>
    )
  }
  return (
    <Entrance title="Sign In" heading="Welcome back" intro="Sign in to your Alder account." back={paths.home}>
      {because === 'idle' && <SignedOut />}
      <PasswordForm
        email={email}
        onEmail={setEmail}
        done={done}
        onAnswer={onAnswer}
        onForgot={() => {
          setTimes(times + 1)
          setForgotten(true)
        }}
        biometrics={biometrics}
      />
      <ForgotSheet
        key={times}
        open={forgotten}
        onOpenChange={setForgotten}
        email={email}
        mailboxPage={session?.mailboxPage ?? false}
      />
    </Entrance>
  )
}

function SignedOut() {
  return (
    <p
      role="status"
      className="flex gap-3 rounded-control bg-warning-subtle px-4 py-3 text-sm font-medium text-warning"
    >
      <Clock3 aria-hidden className="mt-px size-5 shrink-0" strokeWidth={2} />
      You were signed out because nothing happened for a while.
    </p>
  )
}
