import { useLingui } from '@lingui/react/macro'
import { Eye, EyeOff } from 'lucide-react'
import { type ComponentProps, type KeyboardEvent, useState } from 'react'
import { Field } from '#web/ui/field.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'

type PasswordFieldProps = Omit<ComponentProps<typeof Field>, 'type' | 'trailing'>

/** A password input with a button that shows the text, and a warning while Caps Lock is on. */
export function PasswordField({ hint, onKeyUp, ...props }: PasswordFieldProps) {
  const { t } = useLingui()
  const [isVisible, setShown] = useState(false)
  const [capsLock, setCapsLock] = useState(false)
  return (
    <Field
      {...props}
      type={isVisible ? 'text' : 'password'}
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
          icon={isVisible ? EyeOff : Eye}
          label={isVisible ? t`Hide Characters` : t`Show Characters`}
          aria-pressed={isVisible}
          // A press on the eye keeps the focus and the selection of the input.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => setShown(!isVisible)}
          className="me-1 !text-ink-soft"
        />
      }
    />
  )
}
