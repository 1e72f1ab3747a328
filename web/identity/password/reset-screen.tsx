import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { AuthLayout } from '#web/identity/layout/auth-layout.tsx'
import { InvalidLink } from '#web/identity/layout/invalid-link.tsx'
import { useLinkToken } from '#web/identity/layout/link-token.ts'
import { NewPassword } from '#web/identity/password/new-password.tsx'
import { missingPasswords, passwordErrors, usePasswordRule } from '#web/identity/password/password-rule.ts'
import { setPassword } from '#web/identity/queries.ts'
import { useForm } from '#web/lib/form.ts'
import { useRedirect } from '#web/lib/timeout.ts'
import { paths } from '#web/lib/paths.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Screen } from '#web/ui/screen.tsx'

/** Sets a new password with the token of a mailed link. */
export function ResetScreen() {
  const token = useLinkToken()
  const [isInvalid, setInvalid] = useState(false)
  const { t } = useLingui()
  if (token === null || isInvalid) return <Invalid />
  return (
    <AuthLayout
      title={t`New Password`}
      heading={t`Choose a new password`}
      intro={t`You'll be signed out on all your devices.`}
    >
      <ResetForm token={token} onInvalid={() => setInvalid(true)} />
    </AuthLayout>
  )
}

function Invalid() {
  const { t } = useLingui()
  return (
    <Screen title={t`New Password`} header={<div className="pt-4" />}>
      <InvalidLink
        action={
          <ButtonLink to={paths.login} state={{ forgot: true }}>
            <Trans>Request a New Link</Trans>
          </ButtonLink>
        }
      >
        <Trans>The link works once and expires after 30 minutes.</Trans>
      </InvalidLink>
    </Screen>
  )
}

function ResetForm({ token, onInvalid }: { token: string; onInvalid: () => void }) {
  const { t } = useLingui()
  const redirect = useRedirect()
  const rule = usePasswordRule()
  const form = useForm({
    initial: { password: '', confirmPassword: '' },
    check: (values) => [...missingPasswords(values), ...passwordErrors(values, rule)],
    read: ({ password }) => ({ oneTimeToken: token, password }),
    send: setPassword,
    loading: () => t`Saving your new password…`,
    success: () => ({ message: t`Password changed. Please sign in with your new password` }),
    showsRefusal: ({ code }) => code === 'link_invalid',
    onRefused: ({ code }) => {
      if (code === 'link_invalid') onInvalid()
    },
    refusedField: ({ code }) => (code === 'password_too_short' || code === 'password_common' ? 'password' : null),
    onDone: () => redirect(paths.login),
  })
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-5">
      <NewPassword
        password={form.field('password')}
        confirmation={form.field('confirmPassword')}
        ownerTexts={[]}
        minLength={rule.minLength}
      />
      <Button type="submit" busy={form.busy} done={form.done}>
        <Trans>Save Password</Trans>
      </Button>
    </form>
  )
}
