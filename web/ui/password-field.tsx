import { useLingui } from '@lingui/react/macro'
import { Eye, EyeOff } from 'lucide-react'
import { type ComponentProps, type KeyboardEvent, useState } from 'react'
import { Field } from '#web/ui/field.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'

type PasswordFieldProps = Omit<ComponentProps<typeof Field>, 'type' | 'trailing'>

/** A line of text that is hidden unless its owner wants to see it; says so where Caps Lock is on. */
export function PasswordField({ hint, onKeyUp, ...props }: PasswordFieldProps) {
  const { t } = useLingui()
  const [shown, setShown] = useState(false)
  const [capsLock, setCapsLock] = useState(false)
  return (
    <Field
      {...props}
      type={shown ? 'text' : 'password'}
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      hint={capsLock ? t`Caps Lock is on` : hint}
      onKeyUp={(event: KeyboardEvent<HTMLInputElement>) => {
        setCapsLock(event.getModifierState('CapsLock'))
        onKeyUp?.(event)
      }}
      trailing={
        <IconButton
          icon={shown ? EyeOff : Eye}
          label={shown ? t`Hide Characters` : t`Show Characters`}
          aria-pressed={shown}
          // The field keeps its place and its selection: touching the eye is no way out of it.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => setShown(!shown)}
          className="me-1 !text-ink-soft"
        />
      }
    />
  )
}
