import { useLingui } from '@lingui/react/macro'
import { X } from 'lucide-react'
import { type FocusEvent, type Ref, useId, useState } from 'react'
import type { Contact } from '#contract/payments.ts'
import { isAddress } from '#web/lib/address.ts'
import { isNamed, PayeeFace } from '#web/payments/shared/payee-face.tsx'
import { cx } from '#web/ui/cx.ts'
import { boxLook, FieldNote } from '#web/ui/field.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'

type RecipientFieldProps = {
  label: string
  name: string
  /** An email address or a phone number, as typed. */
  value: string
  onChange: (address: string) => void
  onBlur: (event: FocusEvent<HTMLInputElement>) => void
  onClear: () => void
  /** The contact with this address; null if there is none. */
  contact: Contact | null
  error: string | undefined
  ref: Ref<HTMLInputElement>
}

/**
 * The field for the person who gets or pays money. Outside of editing, it shows that person: a contact by name, others by the
 * typed address, because the bank never discloses whether an address belongs to a customer (docs/decisions/0007).
 */
export function RecipientField({
  label,
  contact,
  value,
  error,
  onChange,
  onBlur,
  onClear,
  ...input
}: RecipientFieldProps) {
  const { t } = useLingui()
  const id = useId()
  const [typing, setTyping] = useState(false)
  const isKnown = !typing && !error && (contact !== null || isAddress(value))
  const hasName = isKnown && isNamed(contact)
  return (
    <div>
      <label htmlFor={id} className="mb-1.5 block text-sm font-medium text-ink-soft">
        {label}
      </label>
      <div className={cx('@container flex min-h-14 items-center rounded-control p-1', boxLook(error))}>
        <div className={cx('flex min-h-12 min-w-0 flex-1 items-center rounded-[0.7rem]', isKnown && CHIP)}>
          {isKnown && <PayeeFace contact={contact} address={value} className={PICTURE} />}
          <div className="flex min-w-0 flex-1 flex-col">
            {hasName && (
              <span id={`${id}-name`} className="line-clamp-2 ps-2.5 leading-tight rtl:leading-normal font-semibold">
                {contact?.name}
              </span>
            )}
            <input
              {...input}
              id={id}
              type="text"
              // An address reads from left to right in every language.
              dir={value === '' ? undefined : 'ltr'}
              value={value}
              placeholder={t`Email or phone`}
              maxLength={254}
              inputMode="email"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              aria-invalid={error ? true : undefined}
              aria-describedby={error ? `${id}-note` : hasName ? `${id}-name` : undefined}
              onChange={(event) => onChange(event.currentTarget.value)}
              onFocus={() => setTyping(true)}
              onBlur={(event) => {
                setTyping(false)
                onBlur(event)
              }}
              className={cx(
                'w-full min-w-0 bg-transparent text-ellipsis outline-none rtl:text-right',
                // An address has its own direction, so in Arabic it begins at the opposite end. Both sides have padding.
                isKnown ? 'px-2.5' : 'min-h-12 px-3',
                hasName ? 'text-sm leading-tight text-ink-soft' : 'text-base',
                isKnown && !hasName && 'font-medium',
              )}
            />
          </div>
          {isKnown && (
            <IconButton icon={X} label={t`Choose Someone Else`} onClick={onClear} className="!text-ink-soft" />
          )}
        </div>
      </div>
      <FieldNote id={`${id}-note`} error={error} />
    </div>
  )
}

const CHIP = 'bg-muted ps-1.5'

/** The picture is hidden if large text needs the space. */
const PICTURE = '!size-9 !text-sm @max-[14rem]:!hidden'
