import { Trans, useLingui } from '@lingui/react/macro'
import { Fingerprint } from 'lucide-react'
import { useForm } from 'react-hook-form'
import { Link, useLocation } from 'react-router'
import type { SignInResponse } from '#contract/identity.ts'
import { errorText } from '#web/i18n/words.ts'
import type { Biometrics } from '#web/identity/sign-in/biometrics.ts'
import { signIn } from '#web/identity/queries.ts'
import { withNext } from '#web/lib/sign-in-redirect.ts'
import { paths } from '#web/lib/paths.ts'
import { useSubmission } from '#web/lib/submission.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'

type Form = { email: string; password: string }

type PasswordFormProps = {
  /** Kept by the screen, so that it is still there when a step was gone back, and for a forgotten password. */
  email: string
  onEmail: (email: string) => void
  /** Somebody is signed in: what is seen stays for the moment until they are led on. */
  done: boolean
  onResponse: (response: SignInResponse | null) => void
  onForgot: () => void
  biometrics: Biometrics
}

/** What was typed, what is wrong with it, and the way to send it. */
function useForms({ email, onEmail, onResponse }: Pick<PasswordFormProps, 'email' | 'onEmail' | 'onResponse'>) {
  const { t } = useLingui()
  const form = useForm<Form>({ defaultValues: { email, password: '' }, reValidateMode: 'onSubmit' })
  const { submit, showError, busy } = useSubmission({
    send: signIn,
    loading: () => t`Signing in…`,
    success: (response) => (response.status === 'signed_in' ? { message: t`Login successful!` } : null),
    onRefused: ({ code }) => {
      if (code !== 'credentials_wrong') return
      form.setError('password', { message: errorText(code) })
      form.setFocus('password', { shouldSelect: true })
    },
  })
  const onSubmit = form.handleSubmit(async (values) => {
    const typed = { email: values.email.trim(), password: values.password }
    const empty = (['email', 'password'] as const).filter((name) => typed[name] === '')
    for (const name of empty) form.setError(name, { message: errorText('fields_missing') })
    if (empty[0]) {
      form.setFocus(empty[0])
      showError('fields_missing')
      return
    }
    onResponse(await submit(typed))
  })
  return {
    onSubmit,
    busy,
    errors: form.formState.errors,
    email: form.register('email', {
      onChange: (event: { target: { value: string } }) => {
        onEmail(event.target.value)
        form.clearErrors()
      },
    }),
    password: form.register('password', { onChange: () => form.clearErrors() }),
  }
}

/** Email and password, and the other ways in. */
export function PasswordForm({ done, onForgot, biometrics, ...props }: PasswordFormProps) {
  const { t } = useLingui()
  const { onSubmit, busy, errors, email, password } = useForms(props)
  return (
    <form noValidate onSubmit={(event) => void onSubmit(event)} className="flex flex-1 flex-col gap-4">
      <Field
        {...email}
        label={t`Email`}
        type="email"
        inputMode="email"
        placeholder={t`you@example.com`}
        maxLength={254}
        autoComplete="username webauthn"
        autoCapitalize="none"
        spellCheck={false}
        enterKeyHint="next"
        error={errors.email?.message}
      />
      <div>
        <PasswordField
          {...password}
          label={t`Password`}
          maxLength={200}
          autoComplete="current-password"
          enterKeyHint="go"
          error={errors.password?.message}
        />
        <Button variant="quiet" size="small" className="-me-2 mt-1 float-end !px-3" onClick={onForgot}>
          <Trans>Forgot Password?</Trans>
        </Button>
      </div>
      <Button type="submit" busy={busy} done={done} disabled={biometrics.asking}>
        <Trans>Sign In</Trans>
      </Button>
      <OtherWays biometrics={biometrics} disabled={busy || done} />
    </form>
  )
}

function OtherWays({ biometrics, disabled }: { biometrics: Biometrics; disabled: boolean }) {
  const { search } = useLocation()
  return (
    <>
      <p
        aria-hidden
        className="flex items-center gap-4 text-sm text-ink-soft before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line"
      >
        <Trans context="between two ways to sign in">or</Trans>
      </p>
      <Button
        variant="secondary"
        busy={biometrics.asking}
        disabled={disabled}
        icon={<Fingerprint aria-hidden className="size-5" strokeWidth={2} />}
        onClick={biometrics.use}
      >
        <Trans>Use Biometric</Trans>
      </Button>
      <p className="mt-auto pt-6 text-center text-[0.9375rem] text-ink-soft">
        <Trans>
          Don't have an account?{' '}
          <Link
            to={withNext(paths.signup, search)}
            className="inline-flex min-h-11 items-center rounded-lg px-1 font-semibold text-primary"
          >
            Sign Up
          </Link>
        </Trans>
      </p>
    </>
  )
}
