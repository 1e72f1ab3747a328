import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'

/**
 * Returns the token of a mailed link; null without a token. The token is removed from the address bar, where it could be seen,
 * copied or shared. The entry of the browser's history keeps the token, so that a reload does not lose it.
 */
export function useLinkToken(): string | null {
  const { pathname, search, state } = useLocation()
  const navigate = useNavigate()
  const fromAddress = new URLSearchParams(search).get('token')
  const fromState = (state as { token?: unknown } | null)?.token
  useEffect(() => {
    if (fromAddress !== null) void navigate(pathname, { replace: true, state: { token: fromAddress } })
  }, [fromAddress, pathname, navigate])
  return fromAddress ?? (typeof fromState === 'string' ? fromState : null)
}
