import { useLingui } from '@lingui/react/macro'
import { useNavigate } from 'react-router'

/** What a toast offers: to look at what has happened. */
export function useGoTo(path: string): { label: string; onClick: () => void } {
  const { t } = useLingui()
  const navigate = useNavigate()
  return {
    label: t({ message: 'Show', comment: 'Opens the screen that a message is about' }),
    onClick: () => void navigate(path),
  }
}
