import { useQueryClient } from '@tanstack/react-query'
import { Check, MailCheck } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { ERRORS, type Refusal } from '#contract/errors.ts'
import { Entrance } from '#web/identity/entrance.tsx'
import { InvalidLink } from '#web/identity/invalid-link.tsx'
import { useLinkToken } from '#web/identity/link-token.ts'
import { confirmEmail } from '#web/identity/requests.ts'
import { currentSessionQuery } from '#web/identity/session.ts'
import { useWelcome } from '#web/identity/welcome.ts'
import { kycQuery } from '#web/kyc/queries.ts'
import { nextIn, takeNext, withNext } from '#web/lib/next.ts'
import { paths } from '#web/lib/paths.ts'
import { useSubmission } from '#web/lib/submission.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { useFocusOnMount } from '#web/ui/focus.ts'
import { Notice } from '#web/ui/notice.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import { Screen } from '#web/ui/screen.tsx'

const ON_AFTER_MS = 1500

/** Where the link of a mail that confirms an address leads. Opening it does nothing yet: programs open links, too. */
export function ConfirmScreen() {
  const token = useLinkToken()
  const [outcome, setOutcome] = useState<'invalid' | 'other_pending' | null>(null)
  if (token === null || outcome === 'invalid') return <Invalid />
  if (outcome === 'other_pending') return <OtherPending />
  return (
    <Entrance
      title="Confirm Email"
      heading="Is this your email?"
      intro="Confirm that the address this link was mailed to is yours."
    >
      <Form token={token} onOutcome={setOutcome} />
    </Entrance>
  )
}

const toDashboard = <ButtonLink to={paths.dashboard}>Go to the dashboard</ButtonLink>

function Invalid() {
  return (
    <Screen title="Confirm Email" header={<div className="pt-4" />}>
      <InvalidLink action={toDashboard}>A link works once, for 24 hours.</InvalidLink>
    </Screen>
  )
}

function OtherPending() {
  return (
    <Screen title="Confirm Email" header={<div className="pt-4" />} className="justify-center">
      <Notice icon={MailCheck} heading="h1" title="One more to go" action={toDashboard}>
        This address has said yes. Now open the link in the mail to your other address.
      </Notice>
    </Screen>
  )
}

/** Leads whoever the link has signed in, or who was, to what comes next for them; anybody else to sign in. */
function useGoOn() {
  const queries = useQueryClient()
  const welcome = useWelcome()
  return async () => {
    const next = takeNext()
    const { me } = await queries.fetchQuery({ ...currentSessionQuery, staleTime: 0 })
    if (!me) return welcome(null, withNext(paths.login, next), ON_AFTER_MS)
    const verified = await queries.fetchQuery(kycQuery).then(
      ({ status }) => status !== 'required',
      () => true,
    )
    return welcome(me, verified ? nextIn(next) : withNext(paths.kyc, next), ON_AFTER_MS)
  }
}

type FormProps = { token: string; onOutcome: (outcome: 'invalid' | 'other_pending') => void }

function Form({ token, onOutcome }: FormProps) {
  const [asked, setAsked] = useState(false)
  const [password, setPassword] = useState('')
  const [error, setError] = useState<string | null>(null)
  const { ref, field } = useFocusOnMount<HTMLInputElement>()
  const goOn = useGoOn()

  function onRefused({ code, message, field: about }: Refusal): void {
    if (code === 'link_invalid') onOutcome('invalid')
    else if (code === 'fields_missing' && about === 'password') setAsked(true)
    else if (code === 'credentials_wrong') {
      setError(message)
      field.current?.select()
    }
  }

  const { submit, refuse, busy, done } = useSubmission({
    send: confirmEmail,
    loading: () => 'Confirming your email…',
    success: ({ status }) => (status === 'done' ? { message: 'Email confirmed' } : null),
    tells: ({ code }) => code === 'link_invalid' || (code === 'fields_missing' && !asked),
    refused: onRefused,
  })

  async function confirm(): Promise<void> {
    if (asked && password === '') {
      setError(ERRORS.fields_missing.message)
      field.current?.focus()
      return refuse('fields_missing')
    }
    const answer = await submit({ oneTimeToken: token, ...(asked && { password }) })
    if (answer?.status === 'other_pending') onOutcome('other_pending')
    else if (answer) await goOn()
  }

  function onSubmit(event: FormEvent): void {
    event.preventDefault()
    void confirm()
  }

  return (
    <form noValidate onSubmit={onSubmit} className="flex flex-col gap-5">
      {asked && (
        <PasswordField
          ref={ref}
          label="Password"
          hint="You are not signed in here, so we ask for the password of your account."
          value={password}
          error={error ?? undefined}
          maxLength={200}
          autoComplete="current-password"
          enterKeyHint="go"
          onChange={(event) => {
            setPassword(event.currentTarget.value)
            setError(null)
          }}
        />
      )}
      <Button
        type="submit"
        busy={busy}
        disabled={done}
        icon={done && <Check aria-hidden className="size-5" strokeWidth={2.4} />}
      >
        Confirm Email
      </Button>
    </form>
  )
}
