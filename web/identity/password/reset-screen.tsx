import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { useNavigate } from 'react-router'
import type { ErrorCode } from '#contract/errors.ts'
import { errorText } from '#web/i18n/words.ts'
import { AuthLayout } from '#web/identity/layout/auth-layout.tsx'
import { InvalidLink } from '#web/identity/layout/invalid-link.tsx'
import { useLinkToken } from '#web/identity/layout/link-token.ts'
import { NewPassword } from '#web/identity/password/new-password.tsx'
import { setPassword } from '#web/identity/queries.ts'
import { currentSessionQuery } from '#web/identity/session/session.ts'
import { useTimeout } from '#web/lib/timeout.ts'
import { paths } from '#web/lib/paths.ts'
import { useSubmission } from '#web/lib/submission.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Screen } from '#web/ui/screen.tsx'

const REDIRECT_AFTER_MS = 1500

/** Where the link of a mail about a forgotten password leads. */
export function ResetScreen() {
  const token = useLinkToken()
  const [invalid, setInvalid] = useState(false)
  const { t } = useLingui()
  if (token === null || invalid) return <Invalid />
  return (
    <AuthLayout
      title={t`New Password`}
      heading={t`Choose a new password`}
      intro={t`You'll be signed out on all your devices.`}
    >
      <Form token={token} onInvalid={() => setInvalid(true)} />
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

type Typed = { password: string; confirmPassword: string }

function validate({ password, confirmPassword }: Typed): { code: ErrorCode; fields: (keyof Typed)[] } | null {
  const fields = (['password', 'confirmPassword'] as const).filter(
    (field) => (field === 'password' ? password : confirmPassword) === '',
  )
  if (fields.length > 0) return { code: 'fields_missing', fields }
  return password === confirmPassword ? null : { code: 'passwords_differ', fields: ['confirmPassword'] }
}

function Form({ token, onInvalid }: { token: string; onInvalid: () => void }) {
  const { t } = useLingui()
  const navigate = useNavigate()
  const schedule = useTimeout()
  const minLength = useQuery(currentSessionQuery).data?.passwordMinLength ?? 0
  const form = useForm<Typed>({ defaultValues: { password: '', confirmPassword: '' }, reValidateMode: 'onSubmit' })
  const { errors } = form.formState
  const { submit, showError, busy, done } = useSubmission({
    send: setPassword,
    loading: () => t`Saving your new password…`,
    success: () => ({ message: t`Password changed. Please sign in with your new password` }),
    showsRefusal: ({ code }) => code === 'link_invalid',
    onRefused: ({ code }) => {
      if (code === 'link_invalid') return onInvalid()
      if (code !== 'password_too_short' && code !== 'password_common') return
      form.setError('password', { message: errorText(code) })
      form.setFocus('password', { shouldSelect: true })
    },
  })
  const onSubmit = form.handleSubmit(async (typed) => {
    const problem = validate(typed)
    if (problem) {
      for (const field of problem.fields) form.setError(field, { message: errorText(problem.code) })
      if (problem.fields[0]) form.setFocus(problem.fields[0])
      return showError(problem.code)
    }
    const saved = await submit({ oneTimeToken: token, password: typed.password })
    if (saved !== null) schedule(() => void navigate(paths.login, { replace: true }), REDIRECT_AFTER_MS)
  })
  const register = (name: keyof Typed) => ({
    ...form.register(name, { onChange: () => form.clearErrors(name) }),
    error: errors[name]?.message,
  })
  return (
    <form noValidate onSubmit={(event) => void onSubmit(event)} className="flex flex-col gap-5">
      <NewPassword
        password={register('password')}
        confirmation={register('confirmPassword')}
        typed={useWatch({ control: form.control, name: 'password' })}
        known={[]}
        minLength={minLength}
      />
      <Button type="submit" busy={busy} done={done}>
        <Trans>Save Password</Trans>
      </Button>
    </form>
  )
}
