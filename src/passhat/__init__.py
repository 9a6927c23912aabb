"""passhat: will your AI agent do the job every time?"""
