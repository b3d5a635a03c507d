import { createRoot } from 'react-dom/client'
import './dashboard.css'

const host = document.getElementById('dashboard')
if (host !== null) createRoot(host).render(<h1>Dashboard</h1>)
