import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { type UseFormReturn, useWatch } from 'react-hook-form'
import { Link } from 'react-router'
import { errorText } from '#web/i18n/words.ts'
import { NewPassword } from '#web/identity/password/new-password.tsx'
import { PhoneField } from '#web/identity/sign-up/phone-field.tsx'
import { currentSessionQuery } from '#web/identity/session/session.ts'
import { type SignUpField, type SignUpForm, STEP_OF } from '#web/identity/sign-up/sign-up-form.ts'
import { paths } from '#web/lib/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Card } from '#web/ui/screen.tsx'

type StepProps = { form: UseFormReturn<SignUpForm> }

/** A field of the form: what was wrong with it is forgotten when it is typed in anew. */
function fieldOf({ form }: StepProps, name: SignUpField) {
  return {
    ...form.register(name, { onChange: () => form.clearErrors(name) }),
    error: form.formState.errors[name]?.message,
  }
}

export function NameStep({ form }: StepProps) {
  const { t } = useLingui()
  return (
    <>
      <Field
        {...fieldOf({ form }, 'fullName')}
        label={t`Full Name`}
        placeholder={t({ message: 'Alex Morgan', comment: "Somebody's name, as an example" })}
        maxLength={120}
        autoComplete="name"
        autoCapitalize="words"
        enterKeyHint="next"
      />
      <Field
        {...fieldOf({ form }, 'email')}
        label={t`Email`}
        type="email"
        inputMode="email"
        placeholder={t`you@example.com`}
        maxLength={254}
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}
        enterKeyHint="next"
        onBlur={(event) => {
          // Shown early on the way to another field; on the way to the button it would push the button away.
          const { validity } = event.currentTarget
          if (validity.typeMismatch && event.relatedTarget instanceof HTMLInputElement)
            form.setError('email', { message: errorText('email_invalid') })
        }}
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

export function PasswordStep({ form }: StepProps) {
  const { fullName, email } = form.getValues()
  const minLength = useQuery(currentSessionQuery).data?.passwordMinLength ?? 0
  return (
    <>
      <PhoneField
        control={form.control}
        onEdit={() => form.clearErrors('phone')}
        onDoubt={(message) => form.setError('phone', { message })}
      />
      {/* Password managers keep the password under the name that stands beside it. */}
      <input type="text" autoComplete="username" value={email} readOnly tabIndex={-1} aria-hidden className="sr-only" />
      <NewPassword
        password={fieldOf({ form }, 'password')}
        confirmation={fieldOf({ form }, 'confirmPassword')}
        typed={useWatch({ control: form.control, name: 'password' })}
        known={[fullName, email]}
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
  phone: { label: msg`Phone`, edit: msg({ message: 'Edit Phone', comment: 'Phone number' }) },
} as const

type ReviewProps = StepProps & { goTo: (step: number) => void; busy: boolean; done: boolean }

export function ReviewStep({ form, goTo, busy, done }: ReviewProps) {
  const { t } = useLingui()
  const values = form.getValues()
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
              <dd className="font-medium [overflow-wrap:anywhere]">{values[field].trim()}</dd>
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
