import { Trans, useLingui } from '@lingui/react/macro'
import { Fingerprint } from 'lucide-react'
import { useState } from 'react'
import { Link, useLocation } from 'react-router'
import type { SignInResponse } from '#contract/identity.ts'
import type { Biometrics } from '#web/identity/sign-in/biometrics.ts'
import { signIn } from '#web/identity/queries.ts'
import { isEmail } from '#web/lib/address.ts'
import { formErrors, useForm } from '#web/lib/form.ts'
import { withNext } from '#web/lib/sign-in-redirect.ts'
import { paths } from '#web/lib/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'

type PasswordFormProps = {
  /** The screen stores the email address, so that it remains after a step back and for a forgotten password. */
  email: string
  onEmail: (email: string) => void
  onResponse: (response: SignInResponse | null) => void
  onForgot: () => void
  biometrics: Biometrics
}

type SignInProps = Pick<PasswordFormProps, 'email' | 'onResponse'>

/** Returns the typed values, their errors and the submission. */
function useSignIn({ email: initialEmail, onResponse }: SignInProps) {
  const { t } = useLingui()
  const [initial] = useState({ email: initialEmail, password: '' })
  return useForm({
    initial,
    check: ({ email, password }) =>
      formErrors(
        email.trim() === '' && { field: 'email', code: 'fields_missing', text: t`Enter your email` },
        password === '' && { field: 'password', code: 'fields_missing', text: t`Enter your password` },
        email.trim() !== '' && !isEmail(email) && { field: 'email', code: 'email_invalid' },
      ),
    read: ({ email, password }) => ({ email: email.trim(), password }),
    send: signIn,
    loading: () => t`Signing in…`,
    success: (response) => (response.status === 'signed_in' ? { message: t`Login successful!` } : null),
    refusedField: ({ code, field }) => (code === 'credentials_wrong' ? 'password' : field === 'email' ? field : null),
    onDone: onResponse,
  })
}

/** Shows the fields for email and password, and the other ways to sign in. */
export function PasswordForm({ email, onEmail, onResponse, onForgot, biometrics }: PasswordFormProps) {
  const { t } = useLingui()
  const form = useSignIn({ email, onResponse })
  const { onChange, ...emailField } = form.field('email')
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-1 flex-col gap-4">
      <Field
        {...emailField}
        onChange={(event) => {
          onChange(event)
          onEmail(event.currentTarget.value)
          // The wrong password may be the right one for another email address.
          form.clearErrors('password')
        }}
        label={t`Email`}
        type="email"
        inputMode="email"
        placeholder={t`you@example.com`}
        maxLength={254}
        autoComplete="username webauthn"
        autoCapitalize="none"
        spellCheck={false}
        enterKeyHint="next"
      />
      <div>
        <PasswordField
          {...form.field('password')}
          label={t`Password`}
          maxLength={200}
          autoComplete="current-password"
          enterKeyHint="go"
        />
        <Button variant="quiet" size="small" className="-me-2 mt-1 float-end !px-3 wrap-anywhere" onClick={onForgot}>
          <Trans>Forgot Password?</Trans>
        </Button>
      </div>
      <Button type="submit" busy={form.busy} done={form.done} disabled={biometrics.asking || biometrics.done}>
        <Trans>Sign In</Trans>
      </Button>
      <OtherWays biometrics={biometrics} disabled={form.busy || form.done} />
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
        done={biometrics.done}
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
