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
  /** An email or a phone number, as it was typed. */
  value: string
  onChange: (address: string) => void
  onBlur: (event: FocusEvent<HTMLInputElement>) => void
  onClear: () => void
  /** Whose address it is, if the customer has sent money there before. */
  contact: Contact | null
  error: string | undefined
  ref: Ref<HTMLInputElement>
}

/**
 * Whom money goes to or is to come from. Once that is known and while nobody types, it shows who: a contact by name, anybody else by the
 * address that was typed, for the bank says of nobody whether it knows them (docs/decisions/0007).
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
  const known = !typing && !error && (contact !== null || isAddress(value))
  const named = known && isNamed(contact)
  return (
    <div>
      <label htmlFor={id} className="mb-1.5 block text-sm font-medium text-ink-soft">
        {label}
      </label>
      <div className={cx('@container flex min-h-14 items-center rounded-control p-1', boxLook(error))}>
        <div className={cx('flex min-h-12 min-w-0 flex-1 items-center rounded-[0.7rem]', known && CHIP)}>
          {known && <PayeeFace contact={contact} address={value} className={PICTURE} />}
          <div className="flex min-w-0 flex-1 flex-col">
            {named && (
              <span id={`${id}-name`} className="line-clamp-2 ps-2.5 leading-tight rtl:leading-normal font-semibold">
                {contact?.name}
              </span>
            )}
            <input
              {...input}
              id={id}
              type="text"
              // An address is written from left to right in every language.
              dir={value === '' ? undefined : 'ltr'}
              value={value}
              placeholder={t`Email or phone`}
              maxLength={254}
              inputMode="email"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              aria-invalid={error ? true : undefined}
              aria-describedby={error ? `${id}-note` : named ? `${id}-name` : undefined}
              onChange={(event) => onChange(event.currentTarget.value)}
              onFocus={() => setTyping(true)}
              onBlur={(event) => {
                setTyping(false)
                onBlur(event)
              }}
              className={cx(
                'w-full min-w-0 bg-transparent text-ellipsis outline-none rtl:text-right',
                // Of an address's own direction, its start is the far end in Arabic: there is room on both sides.
                known ? 'px-2.5' : 'min-h-12 px-3',
                named ? 'text-sm leading-tight text-ink-soft' : 'text-base',
                known && !named && 'font-medium',
              )}
            />
          </div>
          {known && <IconButton icon={X} label={t`Choose Someone Else`} onClick={onClear} className="!text-ink-soft" />}
        </div>
      </div>
      <FieldNote id={`${id}-note`} error={error} />
    </div>
  )
}

const CHIP = 'bg-muted ps-1.5'

/** Left out where large text needs the room. */
const PICTURE = '!size-9 !text-sm @max-[14rem]:!hidden'
