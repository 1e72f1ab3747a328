import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from 'react-router'
import { NewPassword } from '#web/identity/password/new-password.tsx'
import { type SignUpForm, STEP_OF } from '#web/identity/sign-up/sign-up-form.ts'
import type { Form } from '#web/lib/form.ts'
import { paths } from '#web/lib/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { EmailText } from '#web/ui/email-text.tsx'
import { Field } from '#web/ui/field.tsx'
import { PhoneField } from '#web/ui/phone-field.tsx'
import { Card } from '#web/ui/screen.tsx'

export type SignUpFormState = Form<SignUpForm>

type StepProps = { form: SignUpFormState }

export function NameStep({ form }: StepProps) {
  const { t } = useLingui()
  return (
    <>
      <Field
        {...form.field('fullName')}
        label={t`Full Name`}
        placeholder={t`First and last name`}
        maxLength={120}
        autoComplete="name"
        autoCapitalize="words"
        enterKeyHint="next"
      />
      <Field
        {...form.field('email')}
        label={t`Email`}
        type="email"
        inputMode="email"
        placeholder={t`you@example.com`}
        maxLength={254}
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}
        enterKeyHint="next"
      />
      <Button type="submit">
        <Trans>Continue</Trans>
      </Button>
      <p className="mt-auto pt-6 text-center text-[0.9375rem] text-ink-soft">
        <Trans>
          Already have an account?{' '}
          <Link
            to={paths.login}
            className="inline-flex min-h-11 items-center rounded-lg px-1 font-semibold text-primary"
          >
            Sign In
          </Link>
        </Trans>
      </p>
    </>
  )
}

export function PasswordStep({ form, minLength }: StepProps & { minLength: number }) {
  const { t } = useLingui()
  const { fullName, email } = form.values
  return (
    <>
      <PhoneField
        {...form.field('phone')}
        label={t({ message: 'Phone', comment: 'A phone number' })}
        placeholder="07700 900123"
        enterKeyHint="next"
      />
      {/* Password managers save a password under the username in this field. */}
      <input type="text" autoComplete="username" value={email} readOnly tabIndex={-1} aria-hidden className="sr-only" />
      <NewPassword
        password={form.field('password')}
        confirmation={form.field('confirmPassword')}
        ownerTexts={[fullName, email]}
        minLength={minLength}
      />
      <Button type="submit">
        <Trans>Continue</Trans>
      </Button>
    </>
  )
}

const REVIEWED = {
  fullName: { label: msg`Full Name`, edit: msg`Edit Full Name` },
  email: { label: msg`Email`, edit: msg`Edit Email` },
  phone: { label: msg`Phone`, edit: msg({ message: 'Edit Phone', comment: 'A phone number' }) },
} as const

type ReviewProps = StepProps & { goTo: (step: number) => void }

export function ReviewStep({ form, goTo }: ReviewProps) {
  const { t } = useLingui()
  const { values, busy, done } = form
  return (
    <>
      <Card>
        <dl className="divide-y divide-line">
          {(Object.keys(REVIEWED) as (keyof typeof REVIEWED)[]).map((field) => (
            <div
              key={field}
              className="grid min-h-18 grid-cols-[minmax(0,1fr)_auto] content-center items-center gap-x-3 py-2.5 ps-4 pe-2"
            >
              <dt className="text-sm text-ink-soft">{t(REVIEWED[field].label)}</dt>
              <dd className="font-medium [overflow-wrap:anywhere]">
                <EmailText email={values[field].trim()} />
              </dd>
              <dd className="col-start-2 row-span-2 row-start-1">
                <Button
                  variant="quiet"
                  size="small"
                  aria-label={t(REVIEWED[field].edit)}
                  disabled={busy || done}
                  onClick={() => goTo(STEP_OF[field])}
                >
                  <Trans>Edit</Trans>
                </Button>
              </dd>
            </div>
          ))}
        </dl>
      </Card>
      <Button type="submit" busy={busy} done={done}>
        <Trans>Create Account</Trans>
      </Button>
    </>
  )
}
