import { Trans, useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { MailCheck } from 'lucide-react'
import { useState } from 'react'
import { AuthLayout } from '#web/identity/layout/auth-layout.tsx'
import { InvalidLink } from '#web/identity/layout/invalid-link.tsx'
import { useLinkToken } from '#web/identity/layout/link-token.ts'
import { confirmEmail } from '#web/identity/queries.ts'
import { currentSessionQuery } from '#web/identity/session/session.ts'
import { useEnterApp } from '#web/identity/layout/enter-app.ts'
import { kycQuery } from '#web/kyc/queries.ts'
import { refetchNow } from '#web/lib/refetch.ts'
import { paths } from '#web/lib/paths.ts'
import { pageAfterSignIn, takeNext, withNext } from '#web/lib/sign-in-redirect.ts'
import { formErrors, useForm } from '#web/lib/form.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import { Screen } from '#web/ui/screen.tsx'

/**
 * Confirms an email address with the token of a mailed link. Opening the link alone confirms nothing, because programs also
 * open links.
 */
export function ConfirmScreen() {
  const token = useLinkToken()
  const [outcome, setOutcome] = useState<'invalid' | 'other_pending' | null>(null)
  const { t } = useLingui()
  if (token === null || outcome === 'invalid') return <Invalid />
  if (outcome === 'other_pending') return <OtherPending />
  return (
    <AuthLayout
      title={t({ message: 'Confirm Email', context: 'title of a screen' })}
      heading={t`Is this your email?`}
      intro={t`Please confirm that the address we sent this link to is yours.`}
    >
      <ConfirmForm token={token} onOutcome={setOutcome} />
    </AuthLayout>
  )
}

const toDashboard = (
  <ButtonLink to={paths.dashboard}>
    <Trans>Go to Home</Trans>
  </ButtonLink>
)

function Invalid() {
  const { t } = useLingui()
  return (
    <Screen title={t({ message: 'Confirm Email', context: 'title of a screen' })} header={<div className="pt-4" />}>
      <InvalidLink action={toDashboard}>
        <Trans>The link works once and expires after 24 hours.</Trans>
      </InvalidLink>
    </Screen>
  )
}

function OtherPending() {
  const { t } = useLingui()
  return (
    <Screen
      title={t({ message: 'Confirm Email', context: 'title of a screen' })}
      header={<div className="pt-4" />}
      className="justify-center"
    >
      <EmptyState
        icon={MailCheck}
        heading="h1"
        title={t({ message: 'One more to go', comment: 'One more email address to confirm' })}
        action={toDashboard}
      >
        <Trans>This address is confirmed. Now open the link we sent to your other address.</Trans>
      </EmptyState>
    </Screen>
  )
}

/** Returns a function that opens a signed-in customer's next screen, or the sign-in screen for others. */
function useGoOn() {
  const queries = useQueryClient()
  const enterApp = useEnterApp()
  return async () => {
    const next = takeNext()
    const { me } = await refetchNow(queries, currentSessionQuery)
    if (!me) return enterApp(null, withNext(paths.login, next))
    const verified = await queries.fetchQuery(kycQuery).then(
      ({ status }) => status !== 'required',
      () => true,
    )
    return enterApp(me, verified ? pageAfterSignIn(next) : withNext(paths.kyc, next))
  }
}

type FormProps = { token: string; onOutcome: (outcome: 'invalid' | 'other_pending') => void }

function ConfirmForm({ token, onOutcome }: FormProps) {
  const { t } = useLingui()
  const [isRequested, setAsked] = useState(false)
  const openNext = useGoOn()
  const form = useForm({
    initial: { password: '' },
    startAt: isRequested ? 'password' : undefined,
    check: ({ password }) =>
      formErrors(
        isRequested && password === '' && { field: 'password', code: 'fields_missing', text: t`Enter your password` },
      ),
    read: ({ password }) => ({ oneTimeToken: token, ...(isRequested && { password }) }),
    send: confirmEmail,
    loading: () => t`Confirming your email…`,
    success: ({ status }) => (status === 'done' ? { message: t`Email confirmed` } : null),
    showsRefusal: ({ code }) => code === 'link_invalid' || (code === 'fields_missing' && !isRequested),
    refusedField: ({ code }) => (code === 'credentials_wrong' ? 'password' : null),
    onRefused: ({ code, field }) => {
      if (code === 'link_invalid') onOutcome('invalid')
      else if (code === 'fields_missing' && field === 'password') setAsked(true)
    },
    onDone: ({ status }) => (status === 'other_pending' ? onOutcome(status) : void openNext()),
  })

  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-5">
      {isRequested && (
        <PasswordField
          {...form.field('password')}
          label={t`Password`}
          hint={t`You're not signed in here, so please enter your account password.`}
          maxLength={200}
          autoComplete="current-password"
          enterKeyHint="go"
        />
      )}
      <Button type="submit" busy={form.busy} done={form.done}>
        <Trans>Confirm Email</Trans>
      </Button>
    </form>
  )
}
