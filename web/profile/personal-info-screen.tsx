import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { MailCheck, Pencil, Undo2 } from 'lucide-react'
import { useDeferredValue, useRef, useState } from 'react'
import { Link } from 'react-router'
import { isBirthDate, readPostcode } from '#contract/personal-details.ts'
import type { Profile, ProfileChange } from '#contract/profile.ts'
import { useBusinessNow } from '#web/accounts/queries.ts'
import { bankDayOf } from '#web/i18n/dates.ts'
import { isEmail } from '#web/lib/address.ts'
import { type FormCheck, formErrors, type Form, useForm } from '#web/lib/form.ts'
import { meQuery } from '#web/lib/me.ts'
import { paths } from '#web/lib/paths.ts'
import { PhoneStatus } from '#web/profile/phone-confirmation.tsx'
import { changeProfile, profileQuery } from '#web/profile/queries.ts'
import { Button } from '#web/ui/button.tsx'
import { cx } from '#web/ui/cx.ts'
import { EmailText } from '#web/ui/email-text.tsx'
import { QueryScreen } from '#web/ui/query-screen.tsx'
import { Field } from '#web/ui/field.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { PhoneField } from '#web/ui/phone-field.tsx'
import { usePhoneLibrary } from '#web/ui/phone-library.ts'
import { Loading, Skeleton } from '#web/ui/skeleton.tsx'
import { AskBeforeLeaving } from '#web/ui/ask-before-leaving.tsx'

export function PersonalInfoScreen() {
  const { t } = useLingui()
  const query = useQuery(profileQuery)
  // The form takes long to render. A deferred value lets the screen react to input meanwhile.
  const data = useDeferredValue(query.data)
  const [isEditing, setEditing] = useState(false)
  const toggle = useRef<HTMLButtonElement>(null)
  return (
    <QueryScreen
      query={{ ...query, data }}
      title={t`Personal Information`}
      back={paths.settings}
      actions={
        <IconButton
          ref={toggle}
          icon={Pencil}
          label={t`Edit`}
          aria-pressed={isEditing}
          disabled={!data}
          onClick={() => setEditing(!isEditing)}
          className="!text-primary aria-pressed:bg-primary-subtle"
        />
      }
    >
      {data ? (
        <Details
          profile={data}
          editing={isEditing}
          onDone={() => {
            setEditing(false)
            // The pressed button disappears with the edit mode, so the focus moves.
            toggle.current?.focus()
          }}
        />
      ) : (
        <FieldSkeletons />
      )}
    </QueryScreen>
  )
}

/** The values of the fields as text. A value that the bank does not have is empty. */
type Values = Required<{ [Key in keyof ProfileChange]: string }>

const FIELDS = ['fullName', 'email', 'phone', 'dateOfBirth', 'address', 'postcode'] as const satisfies (keyof Values)[]

function valuesOf(profile: Profile): Values {
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

/** Returns the differences between the form and the bank's data. */
function changeOf(values: Values, profile: Profile): ProfileChange {
  const bankValues = valuesOf(profile)
  const trimmedValue = (field: keyof Values) => values[field].trim()
  // Spaces, hyphens and parentheses in a phone number have no meaning.
  const isUnchanged = (field: keyof Values) =>
    field === 'phone'
      ? trimmedValue(field).replaceAll(/[\s()-]/g, '') === bankValues[field]
      : trimmedValue(field) === bankValues[field]
  return Object.fromEntries(FIELDS.filter((field) => !isUnchanged(field)).map((field) => [field, trimmedValue(field)]))
}

/** Returns all errors in the order of the form. */
function useCheck(profile: Profile): FormCheck<Values> {
  const { t } = useLingui()
  const phones = usePhoneLibrary()
  const now = useBusinessNow()
  return (values) => {
    const [fullName, email, phone, postcode] = [values.fullName, values.email, values.phone, values.postcode].map(
      (text) => text.trim(),
    ) as [string, string, string, string]
    const bornOn = values.dateOfBirth
    return formErrors(
      fullName === '' && { field: 'fullName', code: 'fields_missing', text: t`Enter your full name` },
      email === '' && { field: 'email', code: 'fields_missing', text: t`Enter your email` },
      email !== '' && !isEmail(email) && { field: 'email', code: 'email_invalid' },
      phone !== '' && phones?.isPhone(phone, profile.phone) === false && { field: 'phone', code: 'phone_invalid' },
      bornOn !== '' &&
        now !== null &&
        !isBirthDate(bornOn, bankDayOf(now)) && { field: 'dateOfBirth', code: 'birth_date_invalid' },
      postcode !== '' && readPostcode(postcode) === null && { field: 'postcode', code: 'postcode_invalid' },
    )
  }
}

/** Returns the form and its submission. `onDone` leaves the edit mode. */
function useDetails(profile: Profile, onDone: () => void) {
  const { t } = useLingui()
  const queries = useQueryClient()
  const form = useForm({
    initial: valuesOf(profile),
    latest: valuesOf(profile),
    check: useCheck(profile),
    read: (values) => changeOf(values, profile),
    send: async (change) => (Object.keys(change).length > 0 ? changeProfile(change) : profile),
    loading: () => t`Saving…`,
    success: () => ({ message: t`Personal information updated successfully!` }),
    onDone: (saved) => {
      queries.setQueryData(profileQuery.queryKey, saved)
      form.reset(valuesOf(saved))
      onDone()
    },
  })
  return form
}

type DetailsForm = Form<Values>

type DetailsProps = { profile: Profile; editing: boolean; onDone: () => void }

function Details({ profile, editing, onDone }: DetailsProps) {
  const { t } = useLingui()
  const form = useDetails(profile, onDone)
  const unsaved = Object.keys(changeOf(form.values, profile)).length > 0
  /** Leaves the edit mode. Errors are relevant only there, so they disappear. */
  function leave(): void {
    form.clearErrors()
    onDone()
  }
  const discard = unsaved && (
    <Button
      variant="quiet"
      size="small"
      disabled={form.busy}
      className="self-center"
      icon={<Undo2 aria-hidden className="size-4" strokeWidth={2.2} />}
      onClick={() => {
        form.reset(valuesOf(profile))
        leave()
      }}
    >
      {t`Discard Changes`}
    </Button>
  )
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-4">
      <AskBeforeLeaving unsaved={unsaved} />
      {profile.pendingEmail && <PendingEmail email={profile.pendingEmail} />}
      <Fields form={form} profile={profile} readOnly={!editing} />
      {!editing && unsaved && (
        <p role="status" className="text-center text-sm text-pretty text-warning">
          <Trans>You have unsaved changes.</Trans>
        </p>
      )}
      {editing && (
        <div className="mt-1 flex flex-wrap gap-2.5">
          <Button variant="secondary" disabled={form.busy} onClick={leave} className="flex-1">
            <Trans>Cancel</Trans>
          </Button>
          <Button type="submit" busy={form.busy} className="flex-[1.6]">
            <Trans>Save Changes</Trans>
          </Button>
        </div>
      )}
      {discard}
    </form>
  )
}

/** Outside of the edit mode, the data is a list of facts without boxes that look editable. */
const FACTS =
  'divide-y divide-line rounded-card border border-line bg-surface px-4 shadow-card [&>div]:py-2.5 [&_label]:!mb-0 [&_label]:font-normal [&_div:has(>input)]:-mx-2 [&_div:has(>input)]:!min-h-0 [&_div:has(>input)]:!border-transparent [&_input]:!min-h-8 [&_input]:!px-2 [&_input]:font-medium [&_::-webkit-calendar-picker-indicator]:hidden'

type FieldsProps = { form: DetailsForm; profile: Profile; readOnly: boolean }

function Fields({ form, profile, readOnly }: FieldsProps) {
  const { t } = useLingui()
  const { email, dateOfBirth } = form.values
  const emptyProps = readOnly ? { placeholder: t({ message: 'Not provided', comment: 'Shown in an empty field' }) } : {}
  const field = (name: keyof Values) => ({ ...form.field(name), readOnly })
  return (
    <div className={readOnly ? FACTS : 'flex flex-col gap-4'}>
      <Field {...field('fullName')} label={t`Full Name`} type="text" dir="auto" maxLength={120} autoComplete="name" />
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
          t`We'll email both your old and your new address. Your email changes once both are confirmed.`
        }
      />
      <div>
        <PhoneField {...field('phone')} {...emptyProps} label={t`Phone Number`} currentPhone={profile.phone} />
        {readOnly && <PhoneStatus profile={profile} />}
      </div>
      <Field
        {...field('dateOfBirth')}
        label={t`Date of Birth`}
        type="date"
        autoComplete="bday"
        // Without a date, the browser shows the date format, so it gets the color of a placeholder.
        className={cx(dateOfBirth === '' && '[&_input]:text-placeholder')}
      />
      <Field
        {...field('address')}
        {...emptyProps}
        label={t({ message: 'Address', comment: "A customer's home address" })}
        type="text"
        dir="auto"
        maxLength={300}
        autoComplete="street-address"
      />
      <Field
        {...field('postcode')}
        {...emptyProps}
        label={t`Postcode`}
        type="text"
        maxLength={12}
        autoComplete="postal-code"
      />
    </div>
  )
}

/** Explains that a new email address still needs a confirmation. */
function PendingEmail({ email }: { email: string }) {
  const { t } = useLingui()
  const { data } = useQuery(meQuery)
  return (
    <section
      aria-label={t({ message: 'New Email', comment: 'The label of a field for an email address' })}
      className="flex gap-3 rounded-card border border-line bg-surface p-4 text-[0.9375rem] text-pretty text-ink-soft shadow-card"
    >
      <MailCheck aria-hidden className="mt-0.5 size-5 shrink-0 text-primary" strokeWidth={1.9} />
      <div className="min-w-0">
        <p>
          <Trans comment="The sentence begins with the new email address">
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
    <div className={FACTS}>
      <Loading label={t`Loading your personal information`} />
      {FIELDS.map((field) => (
        <div key={field}>
          <Skeleton className="my-0.5 h-4 w-24" />
          <Skeleton className="my-2 h-4.5 w-48" />
        </div>
      ))}
    </div>
  )
}
