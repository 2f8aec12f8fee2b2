/** What to tell of an address that cannot be listened on; `undefined` for a reason that is not known. */
export function explainListenError(code: string | undefined, host: string, port: number): string | undefined {
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} of ${host} is in use. Give another with --port, or 0 for a free one.`
    case 'EACCES':
      return `Port ${port} is not open to programs without privileges. Give one from 1024 on with --port.`
    case 'EADDRNOTAVAIL':
    case 'EAI_AGAIN':
    case 'EINVAL':
    case 'ENOTFOUND':
      return `${host} is no address of this machine. Give one that is with --host, or leave it out.`
    default:
      return undefined
  }
}
