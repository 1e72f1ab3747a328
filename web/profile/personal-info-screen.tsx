import { Trans, useLingui } from '@lingui/react/macro'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { MailCheck, Pencil } from 'lucide-react'
import { useRef, useState } from 'react'
import { type UseFormReturn, useForm, useWatch } from 'react-hook-form'
import { Link } from 'react-router'
import { Refusal } from '#contract/errors.ts'
import type { Profile, ProfileChange } from '#contract/profile.ts'
import { toast } from '#web/lib/toast.ts'
import { errorText } from '#web/i18n/words.ts'
import { messageOf } from '#web/lib/api.ts'
import { meQuery } from '#web/lib/me.ts'
import { paths } from '#web/lib/paths.ts'
import { PhoneStatus } from '#web/profile/phone-confirmation.tsx'
import { changeProfile, profileQuery } from '#web/profile/queries.ts'
import { toastError } from '#web/lib/error-toast.ts'
import { Button } from '#web/ui/button.tsx'
import { cx } from '#web/ui/cx.ts'
import { EmailText } from '#web/ui/email-text.tsx'
import { Failure } from '#web/ui/failure.tsx'
import { Field } from '#web/ui/field.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Screen } from '#web/ui/screen.tsx'
import { Loading, Skeleton } from '#web/ui/skeleton.tsx'

export function PersonalInfoScreen() {
  const { t } = useLingui()
  const { data, error, refetch } = useQuery(profileQuery)
  const [editing, setEditing] = useState(false)
  const toggle = useRef<HTMLButtonElement>(null)
  return (
    <Screen
      title={t`Personal Information`}
      back={paths.settings}
      actions={
        <IconButton
          ref={toggle}
          icon={Pencil}
          label={t`Edit`}
          aria-pressed={editing}
          disabled={!data}
          onClick={() => setEditing(!editing)}
          className="!text-primary aria-pressed:bg-primary-subtle"
        />
      }
    >
      {data && (
        <Details
          profile={data}
          editing={editing}
          onDone={() => {
            setEditing(false)
            // The button that was pressed goes away with the edit mode.
            toggle.current?.focus()
          }}
        />
      )}
      {!data && error && <Failure message={messageOf(error)} onRetry={() => void refetch()} />}
      {!data && !error && <FieldSkeletons />}
    </Screen>
  )
}

/** As the fields hold it: text, empty where the bank knows nothing. */
type Form = Required<{ [Key in keyof ProfileChange]: string }>

const FIELDS = ['fullName', 'email', 'phone', 'dateOfBirth', 'address', 'postcode'] as const satisfies (keyof Form)[]

/** What a customer cannot be without. */
const NEEDED = ['fullName', 'email'] as const satisfies (keyof Form)[]

function formOf(profile: Profile): Form {
  const { fullName, email, phone, dateOfBirth, address, postcode } = profile
  return {
    fullName,
    email,
    phone: phone ?? '',
    dateOfBirth: dateOfBirth ?? '',
    address: address ?? '',
    postcode: postcode ?? '',
  }
}

/** What the form says otherwise than the bank. */
function changeOf(values: Form, before: Form): ProfileChange {
  return Object.fromEntries(
    FIELDS.filter((field) => values[field].trim() !== before[field]).map((field) => [field, values[field].trim()]),
  )
}

/** The form, and what happens when it is saved. `onDone` leaves the edit mode. */
function useDetails(profile: Profile, onDone: () => void) {
  const { t } = useLingui()
  const queries = useQueryClient()
  const form = useForm<Form>({
    // What the bank says anew takes the place of what nobody has touched.
    values: formOf(profile),
    resetOptions: { keepDirtyValues: true },
    reValidateMode: 'onSubmit',
  })
  const { mutateAsync, isPending } = useMutation({ mutationFn: changeProfile })

  const onSubmit = form.handleSubmit(async (values) => {
    const empty = NEEDED.filter((field) => values[field].trim() === '')
    if (empty.length > 0) {
      const message = errorText('fields_missing')
      for (const field of empty) form.setError(field, { message })
      if (empty[0]) form.setFocus(empty[0])
      toast.error(message)
      return
    }
    const change = changeOf(values, formOf(profile))
    try {
      const saved = Object.keys(change).length > 0 ? await mutateAsync(change) : profile
      queries.setQueryData(profileQuery.queryKey, saved)
      form.reset(formOf(saved), { keepDirtyValues: false })
      onDone()
      toast.success(t`Personal information updated successfully!`)
    } catch (error) {
      const field = error instanceof Refusal && FIELDS.find((name) => name === error.field)
      if (field) form.setError(field, { message: messageOf(error) }, { shouldFocus: true })
      toastError(error)
    } finally {
      void queries.invalidateQueries()
    }
  })

  return { form, onSubmit, busy: isPending }
}

type DetailsProps = { profile: Profile; editing: boolean; onDone: () => void }

function Details({ profile, editing, onDone }: DetailsProps) {
  const { form, onSubmit, busy } = useDetails(profile, onDone)
  const unsaved = form.formState.isDirty
  return (
    <form noValidate onSubmit={(event) => void onSubmit(event)} className="flex flex-col gap-4">
      {profile.pendingEmail && <PendingEmail email={profile.pendingEmail} />}
      <Fields form={form} profile={profile} readOnly={!editing} />
      {!editing && unsaved && (
        <p role="status" className="text-sm text-pretty text-warning">
          <Trans>You have unsaved changes.</Trans>
        </p>
      )}
      {editing && (
        <div className="mt-1 flex gap-2.5">
          <Button variant="secondary" disabled={busy} onClick={onDone} className="flex-1">
            <Trans>Cancel</Trans>
          </Button>
          <Button type="submit" busy={busy} className="flex-[1.6]">
            <Trans>Save Changes</Trans>
          </Button>
        </div>
      )}
    </form>
  )
}

type FieldsProps = { form: UseFormReturn<Form>; profile: Profile; readOnly: boolean }

function Fields({ form, profile, readOnly }: FieldsProps) {
  const { t } = useLingui()
  const { errors } = form.formState
  const [email, dateOfBirth] = useWatch({ control: form.control, name: ['email', 'dateOfBirth'] })
  const unknown = readOnly
    ? { placeholder: t({ message: 'Not given', comment: 'Stands in a field that is empty' }) }
    : {}
  const field = (name: keyof Form) => ({ ...form.register(name), readOnly, error: errors[name]?.message })
  return (
    <>
      <Field {...field('fullName')} label={t`Full Name`} type="text" maxLength={120} autoComplete="name" />
      <Field
        {...field('email')}
        label={t`Email`}
        type="email"
        maxLength={254}
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}
        hint={
          email.trim() !== profile.email &&
          t`We'll email both your old and new address. Your email changes once both are confirmed.`
        }
      />
      <Field {...field('phone')} {...unknown} label={t`Phone Number`} type="tel" maxLength={40} autoComplete="tel" />
      {readOnly && <PhoneStatus profile={profile} />}
      <Field
        {...field('dateOfBirth')}
        label={t`Date of Birth`}
        type="date"
        autoComplete="bday"
        // Without a date the browser writes the form of one there, as it would a placeholder.
        className={cx(dateOfBirth === '' && '[&_input]:text-ink-soft')}
      />
      <Field
        {...field('address')}
        {...unknown}
        label={t({ message: 'Address', comment: 'Where a customer lives' })}
        type="text"
        maxLength={300}
        autoComplete="street-address"
      />
      <Field
        {...field('postcode')}
        {...unknown}
        label={t`Postcode`}
        type="text"
        maxLength={12}
        autoComplete="postal-code"
      />
    </>
  )
}

/** What is still to be done before another address is the customer's. */
function PendingEmail({ email }: { email: string }) {
  const { t } = useLingui()
  const { data } = useQuery(meQuery)
  return (
    <section
      aria-label={t({ message: 'New email', comment: 'An email address' })}
      className="flex gap-3 rounded-card border border-line bg-surface p-4 text-[0.9375rem] text-pretty text-ink-soft shadow-card"
    >
      <MailCheck aria-hidden className="mt-0.5 size-5 shrink-0 text-primary" strokeWidth={1.9} />
      <div className="min-w-0">
        <p>
          <Trans comment="Begins with the new email address">
            <strong className="font-semibold break-words text-ink">
              <EmailText email={email} />
            </strong>{' '}
            becomes your email once it's confirmed. We've sent an email to each address: please open the link in both.
          </Trans>
        </p>
        {data?.mode === 'sample' && (
          <Link to={paths.sampleMail} className="-mb-2.5 inline-flex min-h-11 items-center font-semibold text-primary">
            <Trans>Open Mailbox</Trans>
          </Link>
        )}
      </div>
    </section>
  )
}

function FieldSkeletons() {
  const { t } = useLingui()
  return (
    <div className="flex flex-col gap-4">
      <Loading label={t`Loading your personal information`} />
      {FIELDS.map((field) => (
        <div key={field}>
          <Skeleton className="mt-0.5 mb-2 h-4 w-24" />
          <Skeleton className="h-13.5 w-full !rounded-control" />
        </div>
      ))}
    </div>
  )
}
